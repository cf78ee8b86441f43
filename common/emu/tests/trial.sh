#!/usr/bin/env bash
# compilers.sh and sanitizers.sh source this file. They run the conformance programs in many ways. The file
# reads their command line, contains their loops, and reports failures. The sourcing script first sets its own
# options in `takes`:
#
#   takes=(--no-fission)    # by name; `given` gets those on the command line
#   . "$(dirname "${BASH_SOURCE[0]}")/trial.sh"
#
# It sets `here` (the folder of the tests), `folders` (the folders with the programs of the core and of the extras),
# `build`, `ways` (compilers or tools), `names` (of programs; if empty, all programs), `jobs`, `work` (a folder that is
# removed at the end) and `failed`.
# shellcheck disable=SC2034  # for the reading script
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folders=("$here/programs" "$here"/../extras/*/tests/programs)
jobs=1
given=()
failed=0

usage() { # prints the script's head
  sed -n '2,/^takes/s/^# \{0,1\}//p' "$0" | head -n -1
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    -j)
      [ $# -ge 2 ] || usage
      jobs=$2
      shift
      ;;
    -*)
      case " ${takes[*]:-} " in *" $1 "*) given+=("$1") ;; *) usage ;; esac
      ;;
    *) break ;;
  esac
  shift
done
[ $# -ge 2 ] || usage
build=$(cd "$1" && pwd) || exit 2
shift
ways=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  ways+=("$1")
  shift
done
[ $# -eq 0 ] || shift
names=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

program() { # NAME: the path of the program without .cu, or of its folder
  local folder
  for folder in "${folders[@]}"; do
    if [ -e "$folder/$1" ] || [ -e "$folder/$1.cu" ]; then echo "$folder/$1"; fi
  done
}

a_turn() { # waits for one
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
}

fail() { # WHAT LOG
  { echo "$1:" && grep -v '^$' "$2" | head -n 20 | cut -c1-200 | sed 's/^/    /'; } >"$2.said"
  cat "$2.said" # at once, where several are tried at a time
  failed=1
}
