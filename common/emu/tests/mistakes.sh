#!/usr/bin/env bash
# Prints each program of mistakes/ with its outcomes: compiled, in a plain run, under the checker, and on an
# H100 (stored). With nvcc, prints its outcome on this machine's GPU instead.
#
#   mistakes.sh COMPILER [-j JOBS] [NAME…]     emucc or nvcc; all programs, or the named ones
#
# A program has one mistake. -DMENDED compiles the program without the mistake. Its first lines state the
# required outcome:
#
#   // gpu: refused | warned | prints LINE | prints nothing | exits 0 | ends by SIGNAL
#                             by nvcc and on an H100; `exits 0`: its output differs from run to run
#   // nvcc: warned            where only one of the two compilers warns
#   // emucc: warned
#   // finding: RULE          the checker's first report
#   // plain: prints LINE     the outcome of a plain run in the emulation if it differs from a GPU's. Then only the
#   // because: REASON        checker finds the mistake, and a grading runs the checker
#
# emucc must refuse programs as nvcc does, and give the warnings in the first lines. A plain run must end as
# on a GPU. The checker must report the finding first. With -DMENDED there must be neither a message nor a
# finding.
#
# Prints a table, and how many programs fail as on a GPU, have their cause as the first message, and are silent when
# mended as the hint says. The messages of programs that differ from their first lines follow, and finally
# "N of N are as their first lines say". Exit status: 0 if all are, 1 if some are not, 77 if there is no such compiler, or
# no GPU for nvcc's programs (CTest reports a skipped test).
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
  local name=$1 source=$here/mistakes/$1.cu said refused=no warned=no compiles="-" runs="-" first="" wrong=() line same=yes named=yes mends=yes
  mapfile -t expected < <(sed -nE "s,^// (gpu|$(basename "$compiler")): ,,p" "$source")
  local want_refused=no want_warned=no want_run="" finding plain gpu
  finding=$(sed -n 's,^// finding: ,,p' "$source")
  plain=$(sed -n 's,^// plain: ,,p' "$source")
  [ -z "$plain" ] || [ -n "$finding" ] || wrong+=("neither a plain run nor the checker finds the mistake")
  gpu=$(sed -n 's,^// gpu: ,,p' "$source" | paste -sd, | sed 's/,/, /g')
  [ -z "$plain" ] || [[ $compiler = *nvcc ]] || same=no
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
  [ "$refused $warned" = "$want_refused $want_warned" ] || same=no
  [ $refused = $want_refused ] || wrong+=("the compiler: refused: $refused, as asked for: $want_refused")
  [ $warned = $want_warned ] || wrong+=("the compiler: warned: $warned, as asked for: $want_warned")
  if [ $refused = no ] && [ -n "$want_run" ]; then
    local status
    status=$(run "$work/$name.plain")
    if came_to "$want_run" "$work/$name.plain" "$status"; then
      runs=$want_run
    else
      runs="exit status $status" same=no
      wrong+=("the run: $runs, not: $want_run")
    fi
  fi
  if [[ $compiler != *nvcc ]] && [ $refused = no ]; then
    build "$name" checked --check || wrong+=("it does not compile for the checker")
    CUEMU_CHECK=all,json=$work/$name.json run "$work/$name.checked" >/dev/null
    first=$(grep -oE '"rule": *"[^"]*"' "$work/$name.json" 2>/dev/null | head -n 1 | sed 's/.*: *"//;s/"//')
    [ "$first" = "$finding" ] || named=no wrong+=("the first finding: ${first:-none}, not: ${finding:-none}")
  fi
  local check=() mended=()
  [[ $compiler = *nvcc ]] || check=(--check)
  build "$name" mended -DMENDED "${check[@]}" || mended+=("with -DMENDED it does not compile")
  [ ! -s "$work/$name.mended.log" ] || mended+=("with -DMENDED the compiler has messages")
  [ "$(run "$work/$name.mended")" = 0 ] && [ ! -s "$work/$name.mended.err" ] || mended+=("with -DMENDED it fails, or has findings")
  [ ${#mended[@]} = 0 ] || mends=no
  wrong+=("${mended[@]}")

  # shellcheck disable=SC2059  # the format of all rows
  printf "$row" "$name" "$gpu" "$compiles" "$runs" $same "${first:--}" $named $mends >"$work/$name.row"
  [ ${#wrong[@]} = 0 ] && return
  {
    echo "$name differs:"
    printf '    %s\n' "${wrong[@]}"
    sed 's/^/      /' "$work/$name".*.log "$work/$name".*.err 2>/dev/null | head -n 30
  } >"$work/$name.differs"
}
export -f build run came_to check
export row='| %-20s | %-44s | %-8s | %-44s | %-5s | %-14s | %-5s | %-5s |\n'

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
# shellcheck disable=SC2059  # the format of all rows
printf "$row" program "on an H100" compiler run same checker cause mends
while read -r name; do cat "$work/$name.row"; done <"$work/list"
count() { # COLUMN: the rows that say yes
  cat "$work"/*.row | awk -F'|' -v column="$1" '$column ~ /yes/' | wc -l
}
echo "same outcome as on a GPU: $(count 6) of $total"
if [[ $compiler != *nvcc ]]; then echo "cause first: $(count 8) of $total"; fi
echo "mended by the hint: $(count 9) of $total"
differ=0
while read -r name; do
  [ -e "$work/$name.differs" ] || continue
  differ=$((differ + 1))
  cat "$work/$name.differs"
done <"$work/list"
echo "$((total - differ)) of $total are as their first lines say"
[ "$differ" = 0 ]
