#!/usr/bin/env bash
# Tries host compilers. Each must be able to parse the headers that CUDA programs include. Conformance
# programs that it builds must print the expected output.
#
#   compilers.sh [-j N] BUILD COMPILER… [-- NAME…]     N: files at a time; BUILD: a build folder of the kit;
#                                                      NAME: some of programs/ only
#
#   compilers.sh -j 2 build g++-12 clang++-14 clang++-19 -- warps reduction
#   compilers.sh build aarch64-linux-gnu-g++-12     64-bit Arm, under qemu-aarch64-static
#
# The runtime is that of BUILD. For a compiler for another processor, or with RUNTIME=own, that compiler
# compiles the runtime. A compiler that this system lacks can run in the root folder of another release, for
# example one
# that `debootstrap --include=g++-13,g++-14,clang-17,clang-18,clang-19,libopenblas0,libfftw3-double3,libfftw3-single3 trixie ROOT` makes:
#   bwrap --bind ROOT / --dev /dev --proc /proc --bind /tmp /tmp --bind $PWD $PWD common/emu/tests/compilers.sh …
#
# Prints one line for each failure, followed by its messages, and one line for each compiler. The exit status
# is 0 if nothing failed.
takes=()
# shellcheck source-path=SCRIPTDIR source=trial.sh
. "$(dirname "${BASH_SOURCE[0]}")/trial.sh"
[ ${#names[@]} -gt 0 ] || for folder in "${folders[@]}"; do
  for source in "$folder"/*.cu; do names+=("$(basename "$source" .cu)"); done
done

own_runtime() { # COMPILER PREFIX
  local source folder archiver extra flags=(-std=c++17 -O2 -fno-omit-frame-pointer -pthread)
  case $("$1" -dumpmachine) in x86_64*) flags+=(-mno-red-zone) ;; esac
  rm "$2"/lib/*.a
  for source in "$here"/../runtime/*.cpp "$here"/../extras/*/*.cpp "$here"/../../profile/src/text_log.cpp; do
    folder=$2/own/$(basename "$(dirname "$source")")
    mkdir -p "$folder"
    a_turn
    "$1" "${flags[@]}" -I"$build/include/emu" -I"$here/../runtime" -I"$here/../watch" \
      -I"$here/../../wire/include" -c "$source" \
      -o "$folder/$(basename "$source").o" 2>"$folder/$(basename "$source").log" ||
      fail "$1: $(basename "$source")" "$folder/$(basename "$source").log" &
  done
  wait
  archiver=$(command -v "$("$1" -dumpmachine)-ar" || command -v ar)
  "$archiver" rcs "$2/lib/libcuemu.a" "$2"/own/{runtime,src}/*.o
  for extra in $(cut -d'|' -f2 "$2/lib/extras.txt" | sort -u); do
    "$archiver" rcs "$2/lib/lib$extra.a" "$2/own/${extra#cuemu_}"/*.o
  done
}

# Compiles a file that includes only this header. Leaves a file `parsed`, or reports the failure.
try_header() { # COMPILER HEADER
  local folder=$work/$1/headers/$2
  mkdir -p "$folder"
  echo "#include \"$2\"" >"$folder/one.cu"
  if "$work/$1/bin/emucc" -ccbin "$1" -std=c++17 -c "$folder/one.cu" -o "$folder/one.o" >"$folder/log" 2>&1; then
    touch "$folder/parsed"
  else
    fail "$1: $2" "$folder/log"
  fi
}

# Leaves a file `passed`, or reports the failure.
try_program() { # COMPILER NAME [HOW TO RUN IT]
  local compiler=$1 name=$2 folder=$work/$1/programs/$2 source flags
  source=$(program "$2")
  shift 2
  mkdir -p "$folder"
  flags=$(sed -n '1s,^// emucc:,,p' "$source.cu")
  # shellcheck disable=SC2086  # several flags
  if "$work/$compiler/bin/emucc" -ccbin "$compiler" $flags "$source.cu" -o "$folder/program" >"$folder/log" 2>&1 &&
    { timeout -k 10 120 "$@" "$folder/program" >"$folder/output" 2>"$folder/log" || ! echo "exit status $?" >>"$folder/log"; } &&
    diff "$source.expected" "$folder/output" >>"$folder/log"; then
    touch "$folder/passed"
  else
    fail "$compiler: $name" "$folder/log"
  fi
  rm -f "$folder/program"
}

try() { # COMPILER
  local prefix=$work/$1 header name run=() passed parsed headers=0 machine
  if ! machine=$("$1" -dumpmachine 2>"$work/log"); then
    echo "$1: not here"
    failed=1
    return
  fi
  mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/include"
  cp "$build/bin/emucc" "$prefix/bin/"
  cp -r "$build/include/emu" "$prefix/include/"
  cp "$build"/lib/libcuemu*.a "$build/lib/extras.txt" "$prefix/lib/"
  if [ "${machine%%-*}" != "$(uname -m)" ]; then
    run=("qemu-${machine%%-*}-static" -L "/usr/${machine}")
    own_runtime "$1" "$prefix"
  elif [ "${RUNTIME:-}" = own ]; then
    own_runtime "$1" "$prefix"
  fi
  for header in "$prefix"/include/emu/*.h "$prefix"/include/emu/{cub/cub.cuh,cuda/atomic,cuda/barrier,thrust/sort.h}; do
    headers=$((headers + 1))
    a_turn
    try_header "$1" "${header#"$prefix/include/emu/"}" &
  done
  for name in "${names[@]}"; do
    a_turn
    try_program "$1" "$name" "${run[@]}" &
  done
  wait
  parsed=$(find "$prefix/headers" -name parsed | wc -l)
  passed=$(find "$prefix/programs" -name passed | wc -l)
  echo "$("$1" --version | head -n 1), $machine: $parsed of $headers headers, $passed of ${#names[@]} programs"
  [ "$parsed" = "$headers" ] && [ "$passed" = "${#names[@]}" ] || failed=1
  rm -rf "$prefix"
}

for compiler in "${ways[@]}"; do try "$compiler"; done
exit $failed
