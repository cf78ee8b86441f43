#!/bin/sh
# The cost of a recording (`grader view LAB`, `emucc --record`): the processor time of a lab's whole program while its
# kernels are recorded, divided by its time thread by thread (--no-fission), at the small sizes that are recorded.
#
#   common/emu/bench/record_cost.sh BUILD_FOLDER
set -eu
build=$(cd "${1:?usage: record_cost.sh BUILD_FOLDER}" && pwd)
kit=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The processor time of a program in ms: the mean of many runs, because the shell counts in hundredths of a second.
cost() { # runs, command…
  (
    runs=$1
    shift
    i=0
    while [ $i -lt "$runs" ]; do
      "$@" >"$work/out" 2>&1 || true
      i=$((i + 1))
    done
    times >"$work/times"  # not in a pipe, where `times` would run in another shell
    tail -n 1 "$work/times" | tr 'ms' '  ' | awk -v runs="$runs" '{ print 1000 * (60 * $1 + $2 + 60 * $3 + $4) / runs }'
  )
}

echo '| lab | arguments | threads | checked | recorded | record | recorded / threads |'
echo '|---|---|---|---|---|---|---|'
while read -r lab name args; do
  mkdir "$work/$lab"
  cp "$kit/solutions/$lab-$name"/*.cu "$kit/solutions/$lab-$name"/*.h "$kit/solutions/$lab-$name"/*.cpp "$work/$lab" 2>/dev/null || true
  for given in shared given; do
    [ ! -d "$kit/labs/$lab-$name/$given" ] || cp -r "$kit/labs/$lab-$name/$given/." "$work/$lab"
  done
  (
    cd "$work/$lab"
    for how in no-fission check; do
      "$build/bin/emucc" --$how -lineinfo -I"$kit/common/lab/include" ./*.cu $(ls ./*.cpp 2>/dev/null) -o $how
    done
    for arguments in $(echo "$args" | tr ',' ' '); do
      threads=$(cost 50 ./no-fission "$arguments")
      checked=$(CUEMU_CHECK=limit=0 cost 20 ./check "$arguments")
      recorded=$(CUEMU_CHECK=limit=0,trace=16,trace-json=trace.json cost 20 ./check "$arguments")
      printf '%s %s %s %s %s %s\n' "$lab" "$arguments" "$threads" "$checked" "$recorded" "$(wc -c <trace.json)" |
        awk '{ printf "| %s | `%s` | %.1f ms | %.1f ms | %.1f ms | %.2f MB | %.1f |\n", $1, $2, $3, $4, $5, $6 / 1e6, $5 / $3 }'
    done
  )
done <<END
lab1.1 matrixmul 8,16
lab1.2 reduction --scheme=1a,--scheme=2
lab2.1 matrixmul 8,32,64
lab2.2 reduction 1000
END
