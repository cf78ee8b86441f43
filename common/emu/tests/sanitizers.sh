#!/usr/bin/env bash
# Runs the conformance programs under tools that check memory and threads. Each program must print the
# expected output. The tool must report nothing, neither in the program nor in the emulation.
#
#   sanitizers.sh [-j N] [--no-fission] BUILD TOOL… [-- NAME…]
#
#                    N: programs at a time; BUILD: a build folder of the kit; TOOL: address (with undefined), thread or
#                    valgrind; NAME: some of programs/ only; --no-fission: every thread by itself, on a fiber of its own
#
#   common/emu/tests/sanitizers.sh -j 2 build valgrind -- warps reduction
#   common/emu/tests/sanitizers.sh -j 2 build-tsan thread
#
# For address and thread, the runtime must be built with the same tool, by the presets asan and tsan (cmake
# --preset tsan && cmake --build build-tsan --target all). With another runtime, thread does not know the
# order of a program's threads, and address does not see the runtime's accesses to the program's memory.
#
# If a tool can't check a program, the program's first lines say so and give the reason: `// sanitizers: not
# thread, it spins`. Prints one line for each failure, followed by its messages, and one line for each tool.
# The exit status is 0 if nothing failed.
takes=(--no-fission)
# shellcheck source-path=SCRIPTDIR source=trial.sh
. "$(dirname "${BASH_SOURCE[0]}")/trial.sh"
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(find "${folders[@]}" -name '*.expected' -o -name expected |
  sed 's,/expected$,,;s,.*/,,;s,\.expected$,,' | sort)
[ ${#given[@]} -eq 0 ] || export NVCC_APPEND_FLAGS=--no-fission

# Leaks are not reported, since a program may leave memory to CUDA at its end.
export ASAN_OPTIONS=detect_leaks=0:exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99:print_stacktrace=1
export TSAN_OPTIONS=exitcode=99:halt_on_error=1

build_program() { # NAME FOLDER FLAGS… → FOLDER/program
  local source folder=$2 flags
  source=$(program "$1")
  shift 2
  if [ -d "$source" ]; then
    find "$source" -name '*.cu' -o -name '*.cpp' >"$folder/sources"
    (cd "$folder" && xargs "$build/bin/emucc" -dc "$@" <sources && "$build/bin/emucc" "$@" ./*.o -o program)
  else
    flags=$(sed -n '1s,^// emucc:,,p' "$source.cu")
    # shellcheck disable=SC2086  # several flags
    "$build/bin/emucc" $flags "$@" "$source.cu" -o "$folder/program"
  fi
}

first_file() { # NAME
  local source
  source=$(program "$1")
  if [ -d "$source" ]; then echo "$source/main.cu"; else echo "$source.cu"; fi
}

# Leaves a file `passed` in the folder, or reports the failure.
try_program() { # TOOL NAME FOLDER
  local tool=$1 name=$2 folder=$3 flags=() run=() expected
  expected=$(program "$2").expected
  [ -f "$expected" ] || expected=$(program "$2")/expected
  case $tool in
    address) flags=(-Xcompiler -fsanitize=address -Xcompiler -fsanitize=undefined -Xcompiler -fno-sanitize-recover=all) ;;
    thread) flags=(-Xcompiler -fsanitize=thread) ;;
    # Valgrind runs one thread at a time. Without fair scheduling, a thread that waits in a loop would starve
    # the others.
    valgrind) run=(valgrind -q --fair-sched=yes --leak-check=no --error-exitcode=99) ;;
  esac
  if build_program "$name" "$folder" -lineinfo "${flags[@]}" >"$folder/log" 2>&1 &&
    { timeout -k 10 600 "${run[@]}" "$folder/program" >"$folder/output" 2>"$folder/log" ||
      { echo "exit status $?" >>"$folder/log"; false; }; } &&
    diff "$expected" "$folder/output" >>"$folder/log"; then
    touch "$folder/passed"
  else
    fail "$tool: $name" "$folder/log"
  fi
  rm -f "$folder/program" "$folder"/*.o
}

built_with() { # KIT_SANITIZE
  grep -q "^KIT_SANITIZE:STRING=$1\$" "$build/CMakeCache.txt" && return
  echo "$tool: the runtime of $build is not built with it; \`cmake --preset $([ "$1" = ON ] && echo asan || echo tsan)\` makes a folder where it is"
  failed=1
  return 1
}

try() { # TOOL
  local tool=$1 name passed unfit=0
  mkdir "$work/$tool" || return
  case $tool in
    address) built_with ON || return ;;
    thread) built_with thread || return ;;
    valgrind) command -v valgrind >/dev/null || { echo "valgrind is not installed"; failed=1; return; } ;;
    *) echo "sanitizers.sh: '$tool' is no tool; known are address, thread and valgrind" >&2; exit 2 ;;
  esac
  for name in "${names[@]}"; do
    if sed -n '1,3s,^// sanitizers: ,,p' "$(first_file "$name")" | grep -q "not [a-z ]*$tool"; then
      unfit=$((unfit + 1))
      continue
    fi
    a_turn
    mkdir -p "$work/$tool/$name"
    try_program "$tool" "$name" "$work/$tool/$name" &
  done
  wait
  passed=$(find "$work/$tool" -name passed | wc -l)
  [ "$passed" -eq $((${#names[@]} - unfit)) ] || failed=1
  echo "$tool: $passed of $((${#names[@]} - unfit)) programs; $unfit are not for it"
}

for tool in "${ways[@]}"; do try "$tool"; done
exit $failed
