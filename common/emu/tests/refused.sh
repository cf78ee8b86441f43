#!/usr/bin/env bash
# Reports whether a compiler refuses and warns at the lines that the programs of refused/ mark.
#
#   refused.sh COMPILER [-j JOBS] [NAME…]     emucc or nvcc; all programs, or the named ones
#
# A line that ends with `// error` or `// warning` must cause such a message when it is the only marked line
# in the compiled text. (Compilers stop at the first step that finds errors, so one error could hide another.)
# `// error anywhere` marks an error whose line CUDA's assembler does not know; emucc reports the line.
# Without the marked lines, the program must compile without messages. A first line `// emucc: flags` gives
# flags.
#
# Prints a line for each program and mark that does not agree, with the compiler's messages, and finally "N of N agree".
# Exit status: 0 if all agree, 1 if some do not, 77 if there is no such compiler (CTest reports a skipped test).
set -u
# shellcheck source=compiler_here.sh
. "$(dirname "${BASH_SOURCE[0]}")/compiler_here.sh"

mark='// (error( anywhere)?|warning)$'
export mark

# Compiles NAME.cu in the current folder to OBJECT. True if the messages for LINE are those WANTED.
as_marked() { # NAME OBJECT LINE WANTED OPTIONS…
  local name=$1 object=$2 line=$3 wanted=$4 said
  timeout 120 "$compiler" "${@:5}" "$name.cu" -o "$object" >log 2>&1
  local status=$?
  # The messages of both compilers: file(line): error: …, file:line:column: error: …
  said=$(sed -nE "s/^(warning: )?$name\.cu[(:]([0-9]+)[):].*([Ee]rror|[Ww]arning).*/\2 \3/p" log | tr EW ew | sort -u)
  case $wanted in
    "") [ "$status" = 0 ] && [ ! -s log ] ;;
    error) [ "$status" != 0 ] && grep -q "^$line error" <<<"$said" ;;
    warning) [ "$status" = 0 ] && [ "$(grep warning <<<"$said")" = "$line warning" ] ;;
    "error anywhere")
      [ "$status" != 0 ] && { [[ $compiler = *nvcc ]] || grep -q "^$line error" <<<"$said"; } ;;
  esac
}

check() { # NAME LINE: the program with the mark of that line; 0: without any
  local source=$here/refused/$1.cu folder=$work/$1.$2 flags wanted
  mkdir -p "$folder"
  awk -v keep="$2" -v mark="$mark" '{ print $0 ~ mark && NR != keep ? "" : $0 }' "$source" >"$folder/$1.cu"
  flags=$(sed -n '1s,^// emucc:,,p' "$source")
  wanted=$(sed -n "$2s,.*// ,,p" "$source" 2>/dev/null)
  # nvcc reports most marks while it compiles for the GPU, which takes a third of its time.
  # shellcheck disable=SC2086  # several flags
  (cd "$folder" && { [[ $2 != 0 && $compiler = *nvcc ]] && as_marked "$1" "$1.cubin" "$2" "$wanted" $flags -cubin ||
    as_marked "$1" "$1.o" "$2" "$wanted" $flags -c; }) && return
  {
    echo "$1.cu:$2: not as marked: ${wanted:-nothing to say}"
    sed 's/^/    /' "$folder/log" | head -n 12
  } >"$folder/differs"
}
export -f as_marked check

list() {
  local source name
  for source in "$here"/refused/*.cu; do
    name=$(basename "$source" .cu)
    [ $# = 0 ] || [[ " $* " = *" $name "* ]] || continue
    echo "$name 0"
    awk -v mark="$mark" -v name="$name" '$0 ~ mark { print name, NR }' "$source"
  done
}

list "$@" >"$work/list"
total=$(wc -l <"$work/list")
if [ "$total" = 0 ]; then
  echo "no program is called so: $*"
  exit 1
fi
# shellcheck disable=SC2016  # the inner shell's own
xargs -P "$jobs" -L 1 bash -c 'check "$0" "$1"' <"$work/list"
differ=0
while read -r name line; do
  [ -e "$work/$name.$line/differs" ] || continue
  differ=$((differ + 1))
  cat "$work/$name.$line/differs"
done <"$work/list"
echo "$((total - differ)) of $total agree"
[ "$differ" = 0 ]
