#!/usr/bin/env bash
# Counts the work of the rows of docs/results for the model of limits: explain_rows.sh LAB TABLE COLUMN > rows.jsonl
#
# Writes a line for each row of the table: its lab, table, column and key, and the work of its kernels as `grader
# profile --explain --json` gives it. grader/src/explain/rows.jsonl has the lines of several tables. rows_test.cpp
# predicts their times and compares them with the measured ones. The script needs no GPU. If MOST is set, rows whose
# last key is larger are left out.
set -euo pipefail
lab=$1 table=$2 column=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
names=()
while IFS= read -r row; do
  [[ $row == \#* ]] && continue
  IFS=, read -r -a cells <<< "$row"
  if [[ ${#names[@]} -eq 0 ]]; then
    for name in "${cells[@]}"; do [[ $name == *\ \(* ]] && break; names+=("$name"); done
    continue
  fi
  words=() macros=() key=()
  for i in "${!names[@]}"; do
    value=${cells[i]}
    [[ $value == *=* ]] && value=--$value  # options are stored without their dashes
    key+=("$value")
    if grep -q "macro = \"${names[i]}\"" "$root"/labs/"$lab"-*/lab.toml; then
      macros+=(--macro "${names[i]}=$value")
    else
      words+=("$value")
    fi
  done
  if [[ -n ${MOST:-} && ${words[-1]} =~ ^[0-9]+$ && ${words[-1]} -gt $MOST ]]; then continue; fi
  answer=$("$root/build/bin/grader" profile "$lab" --solution --explain --json --args="${words[*]}" "${macros[@]}") || {
    echo "$lab ${words[*]} ${macros[*]}: not counted" >&2
    continue
  }
  jq -c --arg lab "$lab" --arg table "$table" --arg column "$column" \
    '{lab: $lab, table: $table, column: $column, key: $ARGS.positional, kernels: [.kernels[] | del(.gpus) | .lines |= map(.text = "")]}' --args "${key[@]}" <<< "$answer"
done < "$root/docs/results/$lab-$table.csv"
