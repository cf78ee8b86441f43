#!/usr/bin/env bash
# Tests that the emulation and a GPU agree. Builds every program of programs/ and projects/ with nvcc, of the
# core and of the extras, runs it on this machine's GPU, and compares its output with the expected output of
# the emulation's tests.
#
#   gpu_agreement.sh [-j JOBS] [NAME…]     all programs, or the named ones (a program's or a project's folder name)
#
# Prints one line for each program that does not agree, followed by its messages, and finally "N of N agree". Exit
# status: 0 if all agree, 1 if some do not, 77 if there is no nvcc or no GPU (CTest reports a skipped test).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jobs=$(nproc)
if [ "${1:-}" = -j ]; then
  jobs=$2
  shift 2
fi

NVCC=${NVCC:-$(command -v nvcc || true)}
[ -n "$NVCC" ] || [ ! -x /usr/local/cuda/bin/nvcc ] || NVCC=/usr/local/cuda/bin/nvcc
if [ -z "$NVCC" ]; then
  echo "skipped: there is no nvcc here"
  exit 77
fi
if ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "skipped: there is no GPU here"
  exit 77
fi
CUDA_PATH=${CUDA_PATH:-$(dirname "$(dirname "$NVCC")")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NVCC CUDA_PATH here work

# Lines with times or rates differ from run to run; projects_test.cpp omits the same lines.
steady() { grep -viE 'time|[0-9] ms|GB/s|GFLOP' || true; }

path_of() { # KIND NAME: programs or projects; without .cu
  local folder
  for folder in "$here/$1" "$here"/../extras/*/tests/"$1"; do
    if [ -e "$folder/$2" ] || [ -e "$folder/$2.cu" ]; then echo "$folder/$2"; fi
  done
}

build_program() { # NAME BINARY
  local source flags
  source=$(path_of programs "$1")
  if [ -d "$source" ]; then
    (cd "$work" && "$NVCC" -arch=native -dc -odir "$2.objects" "$source"/*.cu "$source"/*.cpp &&
      "$NVCC" -arch=native "$2.objects"/*.o -o "$2")
  else
    flags=$(sed -n '1s,^// emucc:,,p' "$source.cu")
    [[ $flags = *arch* ]] || flags="-arch=native $flags"  # nvcc takes one only
    # shellcheck disable=SC2086  # several flags
    "$NVCC" $flags "$source.cu" -o "$2"
  fi
}

check_program() { # NAME
  local expected
  expected=$(path_of programs "$1").expected
  [ -f "$expected" ] || expected=$(path_of programs "$1")/expected
  mkdir -p "$work/$1.objects"
  build_program "$1" "$work/$1" >"$work/$1.log" 2>&1 || return 1
  timeout 240 "$work/$1" >"$work/$1.out" 2>>"$work/$1.log" || { echo "exit status $?" >>"$work/$1.log" && return 1; }
  diff "$expected" "$work/$1.out" >>"$work/$1.log"
}

check_project() { # NAME
  local folder=$work/project-$1 cc=()
  cp -r "$(path_of projects "$1")" "$folder"
  grep -qE '^CC *[:?]?= *nvcc' "$folder"/[Mm]akefile && cc=("CC=$NVCC")
  (cd "$folder" && timeout 300 make -s NVCC="$NVCC" "${cc[@]}" CUDA_PATH="$CUDA_PATH" run >output) \
    >"$work/$1.log" 2>&1 || return 1
  diff <(steady <"$folder/expected") <(steady <"$folder/output") >>"$work/$1.log"
}

check() { # KIND NAME: leaves NAME.agrees or NAME.differs
  if "check_$1" "$2"; then touch "$work/$2.agrees"; else touch "$work/$2.differs"; fi
}
export -f steady path_of build_program check_program check_project check

list() {
  local path name
  for path in "$here"{,/../extras/*/tests}/programs/*.cu "$here"/programs/*/; do
    name=$(basename "$path" .cu)
    echo "program $name"
  done
  for path in "$here"{,/../extras/*/tests}/projects/*/; do echo "project $(basename "$path")"; done
}
wanted() {
  local kind name pick
  while read -r kind name; do
    for pick in "$@"; do [ "$pick" = "$name" ] && echo "$kind $name"; done
    [ $# -gt 0 ] || echo "$kind $name"
  done
}

list | wanted "$@" >"$work/list"
total=$(wc -l <"$work/list")
if [ "$total" = 0 ]; then
  echo "no program or project is called so: $*"
  exit 1
fi
# shellcheck disable=SC2016  # the inner shell's own
xargs -P "$jobs" -L 1 bash -c 'check "$0" "$1"' <"$work/list"
agree=0
while read -r _ name; do
  if [ -e "$work/$name.agrees" ]; then
    agree=$((agree + 1))
  else
    echo "$name does not agree:"
    sed 's/^/    /' "$work/$name.log" | tail -n 30
  fi
done <"$work/list"
echo "$agree of $total agree ($(nvidia-smi -L | head -n 1 | sed 's/ (UUID.*//'))"
[ "$agree" = "$total" ]
