#!/usr/bin/env bash
# Compares the outcome of each program of mistakes/, in the emulation or on this machine's GPU, with its outcome on an
# H100.
#
#   mistakes.sh COMPILER [-j JOBS] [NAME…]     emucc or nvcc; all programs, or the named ones
#
# A program has one mistake; -DMENDED compiles the program without the mistake. Its first lines state the required
# outcome:
#
#   // gpu: refused | warned | prints LINE | prints nothing | exits 0 | ends by SIGNAL
#                             by nvcc and on an H100; `exits 0`: its output differs from run to run
#   // nvcc: warned            where only one of the two compilers warns
#   // emucc: warned
#   // finding: RULE          the checker's first report
#   // plain: prints LINE     the outcome of a plain run in the emulation, where it differs from a GPU's: only the
#   // because: REASON        checker finds the mistake, and a grading runs the checker
#
# emucc must refuse programs as nvcc does, and warn as the first lines state. A plain run must have the same outcome as
# on a GPU. The checker must report the finding first. With -DMENDED there must be neither a message nor a finding.
#
# Prints a table, the messages of programs that differ, and finally "N of N agree". Exit status: 0 if all agree, 1 if
# some do not, 77 if there is no such compiler, or no GPU for nvcc's programs (CTest reports a skipped test).
set -u
# shellcheck source=compiler_here.sh
. "$(dirname "${BASH_SOURCE[0]}")/compiler_here.sh"
flags="-std=c++17 -rdc=true"
if [[ $compiler = *nvcc ]]; then
  flags+=" -arch=native"
  if ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    echo "skipped: there is no GPU here"
    exit 77
  fi
fi
export flags

build() { # NAME KIND FLAGS…: leaves NAME.KIND, and the messages in NAME.KIND.log
  local name=$1 kind=$2
  shift 2
  # shellcheck disable=SC2086  # several flags
  (cd "$here/mistakes" && timeout 120 "$compiler" $flags "$@" "$name.cu" -o "$work/$name.$kind") >"$work/$name.$kind.log" 2>&1
}

run() { # BINARY: leaves its output and messages; prints its exit status
  (ulimit -c 0; timeout 60 "$1" >"$1.out" 2>"$1.err") 2>/dev/null
  echo $?
}

came_to() { # EXPECTED BINARY STATUS
  case $1 in
    "prints nothing") [ "$3" = 0 ] && [ ! -s "$2.out" ] ;;
    prints\ *) [ "$3" = 0 ] && grep -qxF -- "${1#prints }" "$2.out" ;;
    "exits 0") [ "$3" = 0 ] ;;
    ends\ by\ *) [ "$3" = $((128 + $(kill -l "${1#ends by }"))) ] ;;
    *) false ;;
  esac
}

check() { # NAME: leaves a row of the table, and what differs
  local name=$1 source=$here/mistakes/$1.cu said refused=no warned=no compiles="-" runs="-" first="-" wrong=() line
  mapfile -t expected < <(sed -nE "s,^// (gpu|$(basename "$compiler")): ,,p" "$source")
  local want_refused=no want_warned=no want_run="" finding plain
  finding=$(sed -n 's,^// finding: ,,p' "$source")
  plain=$(sed -n 's,^// plain: ,,p' "$source")
  for line in "${expected[@]}"; do
    case $line in
      refused) want_refused=yes ;;
      warned) want_warned=yes ;;
      *) want_run=$line ;;
    esac
  done
  [[ $compiler = *nvcc ]] || want_run=${plain:-$want_run}

  build "$name" plain || refused=yes
  grep -qE '(^|[^a-z])warning' "$work/$name.plain.log" && warned=yes
  [ $refused = no ] || { compiles=refused warned=no; }
  [ $warned = no ] || compiles=warned
  [ $refused = $want_refused ] || wrong+=("the compiler: refused: $refused, as asked for: $want_refused")
  [ $warned = $want_warned ] || wrong+=("the compiler: warned: $warned, as asked for: $want_warned")
  if [ $refused = no ] && [ -n "$want_run" ]; then
    local status
    status=$(run "$work/$name.plain")
    if came_to "$want_run" "$work/$name.plain" "$status"; then
      runs=$want_run
    else
      runs="exit status $status"
      wrong+=("the run: $runs, not: $want_run")
    fi
  fi
  if [[ $compiler != *nvcc ]] && [ $refused = no ]; then
    build "$name" checked --check || wrong+=("it does not compile for the checker")
    CUEMU_CHECK=all,json=$work/$name.json run "$work/$name.checked" >/dev/null
    first=$(grep -oE '"rule": *"[^"]*"' "$work/$name.json" 2>/dev/null | head -n 1 | sed 's/.*: *"//;s/"//')
    [ "$first" = "$finding" ] || wrong+=("the first finding: ${first:-none}, not: ${finding:-none}")
  fi
  local check=()
  [[ $compiler = *nvcc ]] || check=(--check)
  build "$name" mended -DMENDED "${check[@]}" || wrong+=("with -DMENDED it does not compile")
  [ ! -s "$work/$name.mended.log" ] || wrong+=("with -DMENDED the compiler has messages")
  [ "$(run "$work/$name.mended")" = 0 ] && [ ! -s "$work/$name.mended.err" ] || wrong+=("with -DMENDED it fails, or has findings")

  printf '| %-22s | %-8s | %-70s | %-14s | %s |\n' "$name" "$compiles" "$runs" "${first:--}" "${plain:+by the checker alone}" >"$work/$name.row"
  [ ${#wrong[@]} = 0 ] && return
  {
    echo "$name differs:"
    printf '    %s\n' "${wrong[@]}"
    sed 's/^/      /' "$work/$name".*.log "$work/$name".*.err 2>/dev/null | head -n 30
  } >"$work/$name.differs"
}
export -f build run came_to check

for source in "$here"/mistakes/*.cu; do
  name=$(basename "$source" .cu)
  [ $# = 0 ] || [[ " $* " = *" $name "* ]] || continue
  echo "$name"
done >"$work/list"
total=$(wc -l <"$work/list")
if [ "$total" = 0 ]; then
  echo "no program is called so: $*"
  exit 1
fi
# shellcheck disable=SC2016  # the inner shell's own
xargs -P "$jobs" -L 1 bash -c 'check "$0"' <"$work/list"
printf '| %-22s | %-8s | %-70s | %-14s | %s |\n' program compiler run checker difference
while read -r name; do cat "$work/$name.row"; done <"$work/list"
differ=0
while read -r name; do
  [ -e "$work/$name.differs" ] || continue
  differ=$((differ + 1))
  cat "$work/$name.differs"
done <"$work/list"
echo "$((total - differ)) of $total agree"
[ "$differ" = 0 ]
