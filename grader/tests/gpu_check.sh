#!/usr/bin/env bash
# Lists the findings of compute-sanitizer in the labs: in every solution, and in every planted mistake that the
# checker explains. It runs `grader check --backend gpu`, so it needs a machine with a GPU, nvcc, compute-sanitizer
# and a built grader.
#
#   gpu_check.sh [LAB…]      all labs, or these
#
# $GRADER is the path of the grader (default: build/bin/grader, or the grader in PATH). The script prints a line for
# each run, with the rule and the tool of each finding, and at the end the number of planted mistakes that were found.
# The exit code is 0 if no solution has a finding, 1 if a solution has one or a run failed, and 77 if nvcc, a GPU or
# compute-sanitizer is missing. A planted mistake that the tools don't find is not a failure, since they look only for
# races in shared memory.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
if [ -z "${GRADER:-}" ]; then
  GRADER=$root/build/bin/grader
  [ -x "$GRADER" ] || GRADER=$(command -v grader || true)
fi
[ -n "$GRADER" ] || { echo "There is no grader here. Next: ./bootstrap, or GRADER=PATH $0"; exit 1; }
PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer
for needed in nvcc nvidia-smi compute-sanitizer; do
  command -v $needed >/dev/null || { echo "skipped: there is no $needed here"; exit 77; }
done
nvidia-smi -L 2>/dev/null | grep -q '^GPU' || { echo "skipped: there is no GPU here"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GRADER_HOME=$work/home CUDA_LAB_KIT=$root NO_COLOR=1
runs=0 clean=0 dirty=0 planted=0 found=0 failed=0

# The findings of a report: "race (racecheck), uninitialised (initcheck)".
findings_in() {
  awk '
    /^(warning: )?[a-z-]+: / && !/^note: / { rule = $0; sub(/^warning: /, "", rule); sub(/:.*/, "", rule) }
    match($0, /--tool [a-z]+/) { key = rule " (" substr($0, RSTART + 7, RLENGTH - 7) ")"; if (!seen[key]++) list = list (list == "" ? "" : ", ") key }
    END { print list }' "$1"
}

# check LAB WHAT ARGUMENTS…: runs one check, and stores its findings in $findings. Fails if there was no verdict.
check() {
  local lab=$1 what=$2 status
  shift 2
  runs=$((runs + 1))
  "$GRADER" check "$lab" --backend gpu "$@" >"$work/report" 2>&1
  status=$?
  findings=$(findings_in "$work/report")
  if [ $status -gt 1 ]; then
    failed=$((failed + 1))
    echo "$lab $what: the grader ended with $status"
    tail -n 5 "$work/report" | sed 's/^/    /'
    return 1
  fi
}

if [ $# -eq 0 ]; then
  for folder in "$root"/labs/lab*/; do
    name=$(basename "$folder")
    set -- "$@" "${name%%-*}"
  done
fi
for lab in "$@"; do
  if check "$lab" "solution" --solution; then
    if [ -z "$findings" ] && grep -q '^NO MISTAKE FOUND' "$work/report"; then
      clean=$((clean + 1))
      echo "$lab solution: nothing found"
    else
      dirty=$((dirty + 1))
      echo "$lab solution: ${findings:-it failed}"
      sed 's/^/    /' "$work/report" | head -n 60
    fi
  fi
  "$GRADER" mistakes "$lab" --to "$work/$lab" >"$work/list" 2>/dev/null || { failed=$((failed + 1)); continue; }
  while read -r name rule only _; do
    [ "$rule" != - ] || continue
    planted=$((planted + 1))
    options=(--from "$work/$lab/$name")
    [ "$only" = - ] || options+=(--case "$only")
    check "$lab" "$name" "${options[@]}" || continue
    case ", $findings" in
      *", $rule ("*) found=$((found + 1)) verdict="found" ;;
      *) verdict="not found" ;;
    esac
    echo "$lab $name ($rule): $verdict${findings:+: $findings}"
  done <"$work/list"
done
echo
echo "$clean of $((clean + dirty)) solutions without findings; $found of $planted planted mistakes found by compute-sanitizer;"
echo "$failed of $runs runs failed ($(nvidia-smi -L | head -n 1 | sed 's/ (UUID.*//'))"
[ $dirty -eq 0 ] && [ $failed -eq 0 ]
