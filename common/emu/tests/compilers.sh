#!/usr/bin/env bash
# Tries host compilers: the headers that CUDA programs include must parse with each, and the conformance programs
# built with it must print what is expected.
#
#   compilers.sh BUILD COMPILER… [-- NAME…]     BUILD: a build folder of the kit; NAME: some of programs/ only
#
#   compilers.sh build g++-12 clang++-14 clang++-19 -- warps reduction
#   compilers.sh build aarch64-linux-gnu-g++-12     64-bit Arm, under qemu-aarch64-static
#
# The runtime is BUILD's own; for a compiler of another processor, or with RUNTIME=own, it is compiled anew with that
# compiler. Compilers that this system doesn't have run in a root of another release, such as one that
# `debootstrap --include=g++-13,g++-14,clang-17,clang-18 trixie ROOT` makes:
#   bwrap --bind ROOT / --dev /dev --proc /proc --bind /tmp /tmp --bind $PWD $PWD common/emu/tests/compilers.sh …
#
# Prints one line for each failure, its messages under it, and one for each compiler. Exit status: 0 all is right.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | head -n -1; exit 2; }
build=$(cd "$1" && pwd) || exit 2
shift
compilers=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  compilers+=("$1")
  shift
done
[ $# -eq 0 ] || shift
names=("$@")
[ $# -gt 0 ] || for source in "$here"/programs/*.cu; do names+=("$(basename "$source" .cu)"); done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() { # WHAT LOG
  echo "$1:"
  head -n 12 "$2" | cut -c1-200 | sed 's/^/    /'
  failed=1
}

own_runtime() { # COMPILER PREFIX
  local source flags=(-std=c++17 -O2 -fno-omit-frame-pointer -pthread)
  case $("$1" -dumpmachine) in x86_64*) flags+=(-mno-red-zone) ;; esac
  rm "$2/lib/libcuemu.a"
  for source in "$here"/../{runtime,libraries}/*.cpp "$here"/../../profile/src/text_log.cpp; do
    "$1" "${flags[@]}" -I"$here/../include" -I"$here/../runtime" -I"$here/../watch" -c "$source" -o "$2/$(basename "$source").o" \
      2>"$2/log" || { fail "$1: $(basename "$source")" "$2/log" && return 1; }
  done
  "$(command -v "$("$1" -dumpmachine)-ar" || command -v ar)" rcs "$2/lib/libcuemu.a" "$2"/*.o
}

try() { # COMPILER
  local prefix=$work/$1 header name flags run=() passed=0 parsed=0 headers=0 machine
  if ! machine=$("$1" -dumpmachine 2>"$work/log"); then
    echo "$1: not here"
    failed=1
    return
  fi
  mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/include"
  cp "$build/bin/emucc" "$prefix/bin/"
  cp -r "$build/include/emu" "$prefix/include/"
  ln -s "$build/lib/libcuemu.a" "$prefix/lib/"
  if [ "${machine%%-*}" != "$(uname -m)" ]; then
    run=("qemu-${machine%%-*}-static" -L "/usr/${machine}")
    own_runtime "$1" "$prefix" || return
  elif [ "${RUNTIME:-}" = own ]; then
    own_runtime "$1" "$prefix" || return
  fi
  # Each header alone, in a file that includes nothing else.
  for header in "$prefix"/include/emu/*.h "$prefix"/include/emu/{cub/cub.cuh,cuda/atomic,cuda/barrier,thrust/sort.h}; do
    headers=$((headers + 1))
    echo "#include \"${header#"$prefix/include/emu/"}\"" >"$work/one.cu"
    if "$prefix/bin/emucc" -ccbin "$1" -std=c++17 -c "$work/one.cu" -o "$work/one.o" >"$work/log" 2>&1; then
      parsed=$((parsed + 1))
    else
      fail "$1: ${header##*/}" "$work/log"
    fi
  done
  for name in "${names[@]}"; do
    flags=$(sed -n '1s,^// emucc:,,p' "$here/programs/$name.cu")
    # shellcheck disable=SC2086  # several flags
    if "$prefix/bin/emucc" -ccbin "$1" $flags "$here/programs/$name.cu" -o "$work/program" >"$work/log" 2>&1 &&
      { timeout 120 "${run[@]}" "$work/program" >"$work/output" 2>"$work/log" || ! echo "exit status $?" >>"$work/log"; } &&
      diff "$here/programs/$name.expected" "$work/output" >>"$work/log"; then
      passed=$((passed + 1))
    else
      fail "$1: $name" "$work/log"
    fi
  done
  echo "$("$1" --version | head -n 1), $machine: $parsed of $headers headers, $passed of ${#names[@]} programs"
  [ "$parsed" = "$headers" ] && [ "$passed" = "${#names[@]}" ] || failed=1
  rm -rf "$prefix"
}

for compiler in "${compilers[@]}"; do try "$compiler"; done
exit $failed
