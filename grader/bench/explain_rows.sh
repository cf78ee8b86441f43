#!/usr/bin/env bash
# Counts the work of the rows of docs/results for the model of limits: explain_rows.sh LAB TABLE COLUMN > rows.jsonl
#
# A line for each row of the table: its lab, table, column and key, and the work of its kernels as
# `grader profile --explain --json` gives it. grader/src/explain/rows.jsonl has the lines of several tables;
# rows_test.cpp predicts their times and compares them with the measured ones. No GPU is needed.
# MOST leaves out rows whose last key is larger.
set -euo pipefail
lab=$1 table=$2 column=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
tables='.tables[] | select(.id == $table and (.peer // "") == "")'
jq -c --arg table "$table" "[$tables][0] | .axes as \$axes | .rows[] | [.key, [\$axes[].name], [\$axes[].is_macro]]" \
  "$root/docs/results/$lab.json" |
while read -r row; do
  words=() macros=()
  for ((i = 0; i < $(jq '.[0] | length' <<< "$row"); ++i)); do
    value=$(jq -r ".[0][$i]" <<< "$row")
    if [[ $(jq ".[2][$i]" <<< "$row") == true ]]; then
      macros+=(--macro "$(jq -r ".[1][$i]" <<< "$row")=$value")
    else
      words+=("$value")
    fi
  done
  if [[ -n ${MOST:-} && ${words[-1]} =~ ^[0-9]+$ && ${words[-1]} -gt $MOST ]]; then continue; fi
  answer=$("$root/build/bin/grader" profile "$lab" --solution --explain --json --args="${words[*]}" "${macros[@]}") || {
    echo "$lab ${words[*]} ${macros[*]}: not counted" >&2
    continue
  }
  jq -c --arg lab "$lab" --arg table "$table" --arg column "$column" --argjson row "$row" \
    '{lab: $lab, table: $table, column: $column, key: $row[0], kernels: [.kernels[] | del(.gpus) | .lines |= map(.text = "")]}' <<< "$answer"
done
