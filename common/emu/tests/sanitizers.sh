#!/usr/bin/env bash
# Runs the conformance programs under tools that watch memory and threads: each must print what is expected, and the tool
# must find nothing, in the program or in the emulation below it.
#
#   sanitizers.sh BUILD TOOL… [-- NAME…]     BUILD: a build folder of the kit; TOOL: address (with undefined), thread or
#                                            valgrind; NAME: some of programs/ only
#
#   common/emu/tests/sanitizers.sh build address thread -- warps reduction
#
# A program that a tool can't follow says so in its first lines, with the reason: `// sanitizers: not thread, it spins`.
# Prints one line for each failure, its messages under it, and one for each tool. Exit status: 0 all is right.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | head -n -1; exit 2; }
build=$(cd "$1" && pwd) || exit 2
shift
tools=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  tools+=("$1")
  shift
done
[ $# -eq 0 ] || shift
names=("$@")
[ $# -gt 0 ] || for expected in "$here"/programs/*.expected "$here"/programs/*/expected; do
  [ "${expected##*/}" = expected ] && expected=${expected%/expected}
  names+=("$(basename "$expected" .expected)")
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Leaks are no mistake here: programs end with memory that CUDA frees.
export ASAN_OPTIONS=detect_leaks=0:exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99:print_stacktrace=1
export TSAN_OPTIONS=exitcode=99:halt_on_error=1

build_program() { # NAME FLAGS… → $work/program
  local name=$1 flags
  shift
  if [ -d "$here/programs/$name" ]; then
    find "$here/programs/$name" -name '*.cu' -o -name '*.cpp' >"$work/sources"
    (cd "$work" && rm -f ./*.o && xargs "$build/bin/emucc" -dc "$@" <sources && "$build/bin/emucc" "$@" ./*.o -o program)
  else
    flags=$(sed -n '1s,^// emucc:,,p' "$here/programs/$name.cu")
    # shellcheck disable=SC2086  # several flags
    "$build/bin/emucc" $flags "$@" "$here/programs/$name.cu" -o "$work/program"
  fi
}

try() { # TOOL
  local tool=$1 flags=() run=() name expected passed=0 unfit=0 first
  case $tool in
    address) flags=(-Xcompiler -fsanitize=address -Xcompiler -fsanitize=undefined -Xcompiler -fno-sanitize-recover=all) ;;
    thread) flags=(-Xcompiler -fsanitize=thread) ;;
    valgrind)
      command -v valgrind >/dev/null || { echo "valgrind is not installed"; failed=1; return; }
      run=(valgrind -q --error-exitcode=99) ;;
    *) echo "sanitizers.sh: '$tool' is no tool; known are address, thread and valgrind" >&2; exit 2 ;;
  esac
  for name in "${names[@]}"; do
    first=$here/programs/$name.cu expected=$here/programs/$name.expected
    [ ! -d "$here/programs/$name" ] || first=$here/programs/$name/main.cu expected=$here/programs/$name/expected
    if sed -n '1,3s,^// sanitizers: ,,p' "$first" | grep -q "not [a-z ]*$tool"; then
      unfit=$((unfit + 1))
      continue
    fi
    if build_program "$name" -lineinfo "${flags[@]}" >"$work/log" 2>&1 &&
      { timeout 600 "${run[@]}" "$work/program" >"$work/output" 2>"$work/log" || { echo "exit status $?" >>"$work/log"; false; }; } &&
      diff "$expected" "$work/output" >>"$work/log"; then
      passed=$((passed + 1))
    else
      echo "$tool: $name:"
      grep -v '^$' "$work/log" | head -n 20 | cut -c1-200 | sed 's/^/    /'
      failed=1
    fi
  done
  echo "$tool: $passed of $((${#names[@]} - unfit)) programs; $unfit are not for it"
}

for tool in "${tools[@]}"; do try "$tool"; done
exit $failed
