#!/bin/bash
# Compares the counts of the labs' kernels in emulation with a GPU's counts, read by ncu.
#
#   counters_agreement.sh emulate FOLDER   where emucc is: builds with --counters, runs, keeps counts in FOLDER
#   counters_agreement.sh compare FOLDER   where a GPU, nvcc and ncu are: builds, counts, compares
#
# One machine may do both. `emulate` needs $EMUCC (or emucc in PATH) and python3; `compare` needs bash and awk.
# Prints a line for each count that differs, with the reason if it is known, and finally the number of counts that
# agree. Exits with 1 if a count differs for no known reason.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
mode=${1:-} folder=${2:-}
if [[ $mode != emulate && $mode != compare || -z $folder ]]; then
  sed -n '2,9p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'
  exit 2
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# lab or program | arguments
runs() {
  cat <<'LIST'
solutions/lab1.1-matrixmul|64
solutions/lab1.1-matrixmul|100
solutions/lab1.2-reduction|--scheme 1a
solutions/lab1.2-reduction|--scheme 1b
solutions/lab1.2-reduction|--scheme 2
solutions/lab1.2-reduction|--scheme 3
solutions/lab2.1-matrixmul|64
solutions/lab2.2-reduction|4096
solutions/lab3.1-matrixmul|128
common/emu/counters/tests/programs/banks.cu|
common/emu/counters/tests/programs/widths.cu|
common/emu/counters/tests/programs/sectors.cu|
common/emu/counters/tests/programs/tiles.cu|
common/emu/counters/tests/programs/branches.cu|
LIST
}

sources_of() {  # program -> its files
  if [[ -d $root/$1 ]]; then find "$root/$1" -maxdepth 1 \( -name '*.cu' -o -name '*.cpp' \) | sort; else echo "$root/$1"; fi
}

counted="shared_load_conflicts shared_store_conflicts shared_loads shared_stores global_loads global_load_sectors global_stores
global_store_sectors warp_barriers divergent_branches"

emulate() {
  local emucc=${EMUCC:-emucc} program arguments built
  : > "$folder/emulation.txt"
  while IFS='|' read -r program arguments; do
    built=$folder/emu-$(basename "$program" .cu)
    if [[ ! -x $built ]]; then
      # shellcheck disable=SC2046
      "$emucc" --counters -std=c++17 -I "$root/common/lab/include" $(sources_of "$program") -o "$built" || exit 1
    fi
    # shellcheck disable=SC2086
    (cd "$folder" && CUEMU_COUNTERS=quiet,json=report.json "$built" $arguments > /dev/null) || echo "$program $arguments: exit $?"
    # shellcheck disable=SC2086
    python3 - "$program" "$arguments" "$folder/report.json" $counted >> "$folder/emulation.txt" <<'PYTHON'
import json, sys
program, arguments, report, *counters = sys.argv[1:]
for kernel in json.load(open(report))["kernels"]:
    for counter in counters:
        print("|".join([program, arguments, kernel["name"], counter, str(kernel["totals"][counter])]))
PYTHON
  done < <(runs)
  echo "$(wc -l < "$folder/emulation.txt") counts in $folder/emulation.txt"
}

metrics() {  # ncu's metric | counter
  cat <<'LIST'
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum|shared_load_conflicts
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum|shared_store_conflicts
smsp__sass_inst_executed_op_shared_ld.sum|shared_loads
smsp__sass_inst_executed_op_shared_st.sum|shared_stores
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum|global_loads
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum|global_load_sectors
l1tex__t_requests_pipe_lsu_mem_global_op_st.sum|global_stores
l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum|global_store_sectors
smsp__sass_branch_targets_threads_divergent.sum|divergent_branches
sass__inst_executed_per_opcode|warp_barriers
LIST
}

# ncu's CSV -> kernel|counter|sum over launches. The barriers are the instances "BAR" of the counts by opcode.
read_csv() {
  awk -v metrics="$(metrics)" '
    BEGIN {
      n = split(metrics, lines, "\n")
      for (i = 1; i <= n; ++i) { split(lines[i], pair, "|"); counter[pair[1]] = pair[2] }
    }
    function fields(line,   i, c, quoted, count) {
      count = 1; field[1] = ""; quoted = 0
      for (i = 1; i <= length(line); ++i) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) field[++count] = ""
        else if (c != "\r") field[count] = field[count] c
      }
      return count
    }
    /^"ID"/ { count = fields($0); for (i = 1; i <= count; ++i) column[field[i]] = i; next }
    /^"[0-9]+"/ {
      fields($0)
      metric = field[column["Metric Name"]]; value = field[column["Metric Value"]]
      if (!(metric in counter)) next
      kernel = field[column["Kernel Name"]]; sub(/[(<].*/, "", kernel); sub(/.* /, "", kernel)
      if (counter[metric] == "warp_barriers") {
        if (match(value, /BAR[A-Z.]*: *[0-9,]+/) == 0) value = (value ~ /:/) ? 0 : "n/a"
        else { value = substr(value, RSTART, RLENGTH); sub(/.*: */, "", value) }
      }
      gsub(/,/, "", value)
      key = kernel "|" counter[metric]
      if (value !~ /^[0-9.]+$/) { sum[key] = "n/a"; next }
      if (sum[key] != "n/a") sum[key] += value
    }
    END { for (key in sum) print key "|" sum[key] }'
}

compare() {
  local nvcc=${NVCC:-nvcc} ncu=${NCU:-ncu} program arguments built
  [[ -s $folder/emulation.txt ]] || { echo "$folder/emulation.txt is missing: run '$0 emulate $folder' first"; exit 2; }
  : > "$folder/gpu.txt"
  local list; list=$(metrics | cut -d'|' -f1 | paste -sd,)
  while IFS='|' read -r program arguments; do
    built=$folder/gpu-$(basename "$program" .cu)
    if [[ ! -x $built ]]; then
      # shellcheck disable=SC2046
      "$nvcc" -std=c++17 -O3 -arch=native -I "$root/common/lab/include" $(sources_of "$program") -o "$built" || exit 1
    fi
    # shellcheck disable=SC2086
    (cd "$folder" && "$ncu" --csv --print-units base --print-metric-instances details --clock-control none --metrics "$list" \
      "$built" $arguments) > "$folder/ncu.csv" 2>&1
    if grep -q ERR_NVGPUCTRPERM "$folder/ncu.csv"; then
      echo "The GPU's counters are for administrators on this machine (ERR_NVGPUCTRPERM): nothing to compare."; exit 3
    fi
    grep -m1 '==ERROR==' "$folder/ncu.csv" && echo "  (at $program $arguments)"
    cp "$folder/ncu.csv" "$folder/ncu-$(basename "$program" .cu)-${arguments//[^a-z0-9]/}.csv"
    read_csv < "$folder/ncu.csv" | sed "s#^#$program|$arguments|#" >> "$folder/gpu.txt"
  done < <(runs)
  awk -F'|' '
    function why(kernel, counter, emulated, measured, fewer_loads) {
      if (counter == "divergent_branches")
        return "the branches of nvcc are not those of the source: short ones are predicated, loops unrolled"
      if (counter ~ /^global_/ && kernel ~ /counter|maximum|swapped|in_shared/)
        return "ncu counts reductions and atomics to global memory with the stores or loads"
      if ((counter == "shared_loads" || counter == "shared_stores") && measured < emulated)
        return "nvcc joins neighbouring accesses into wider ones, or keeps values in registers"
      if ((counter == "global_loads" || counter == "global_load_sectors") && measured < emulated)
        return "nvcc joins loads, or moves them out of the loop"
      if (counter == "shared_load_conflicts" && measured < emulated && fewer_loads)
        return "nvcc makes fewer loads of the same words, each with its conflicts"
      if (counter ~ /conflicts/ && measured > emulated && measured - emulated <= 0.05 * (measured + 100))
        return "the hardware counts turns lost to other requests as conflicts"
      return ""
    }
    pass == "gpu" { gpu[$1 "|" $2 "|" $3 "|" $4] = $5; next }
    pass == "loads" { if ($4 == "shared_loads") loads[$1 "|" $2 "|" $3] = $5; next }
    {
      key = $1 "|" $2 "|" $3 "|" $4
      if (!(key in gpu) || gpu[key] == "n/a") { ++missing; absent[$4] = 1; next }
      ++total; ++of[$4]
      if (gpu[key] + 0 == $5 + 0) { ++agree; ++agreed[$4]; next }
      reason = why($3, $4, $5 + 0, gpu[key] + 0, gpu[$1 "|" $2 "|" $3 "|shared_loads"] + 0 < loads[$1 "|" $2 "|" $3])
      name = $1; sub(/.*\//, "", name)
      printf "%s %s, %s: %s: emulation %d, GPU %d%s\n", name, $2, $3, $4, $5, gpu[key], reason == "" ? "" : "\n    " reason
      if (reason == "") ++unexplained
    }
    END {
      print ""
      for (counter in of) printf "%-24s %d of %d agree\n", counter, agreed[counter], of[counter]
      for (counter in absent) printf "%-24s some not measured by ncu here\n", counter
      printf "%d of %d agree; %d differ for a known reason, %d for none; %d were not measured\n", agree, total,
             total - agree - unexplained, unexplained, missing
      exit unexplained > 0
    }' pass=gpu "$folder/gpu.txt" pass=loads "$folder/emulation.txt" pass=compare "$folder/emulation.txt"
}

$mode
