#!/bin/sh
# The cost of `emucc --check` for each kernel of kernels.cu: the kernel's processor time under the checker divided by
# its time without the checker, and the memory that the checker takes for each byte of device memory that the kernel
# touches.
#
#   common/emu/bench/check_cost.sh BUILD_FOLDER
set -eu
build=${1:?usage: check_cost.sh BUILD_FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_program() { # name, emucc's flags
  name=$1
  shift
  "$build/bin/emucc" "$@" -rdc=true -O3 -DBENCH_NAMESPACE=split "$here/kernels.cu" "$here/check_cost.cpp" -o "$work/$name"
}
make_program default
make_program threads --no-fission
make_program checked --check

printf '%-18s %11s %11s %11s %9s %9s %9s\n' kernel default threads checked /default /threads 'B/B'
for kernel in $("$work/default" list); do
  default=$("$work/default" "$kernel" 20)
  threads=$("$work/threads" "$kernel" 5)
  checked=$(CUEMU_CHECK=races,memory,barriers,api "$work/checked" "$kernel" 2)
  printf '%s\n%s\n%s\n' "$default" "$threads" "$checked" | awk -v kernel="$kernel" '
    { seconds[NR] = $1; kib[NR] = $2; bytes = $3 }
    END {
      printf "%-18s %8.2f ms %8.2f ms %8.2f ms %8.1fx %8.1fx %9.2f\n", kernel, 1e3 * seconds[1], 1e3 * seconds[2],
             1e3 * seconds[3], seconds[3] / seconds[1], seconds[3] / seconds[2], 1024 * (kib[3] - kib[2]) / bytes
    }'
done
