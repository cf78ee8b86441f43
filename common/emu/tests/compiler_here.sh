# Sourced by scripts that compile a folder of programs: SCRIPT COMPILER [-j JOBS] [NAME…].
# Sets $here, $compiler (full path), $jobs, $work (a folder that is removed at the end) and the remaining arguments. If
# the compiler is missing, the script exits with status 77, which CTest reports as a skipped test. shellcheck shell=bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compiler=$(command -v "${1:-nvcc}" || { [ "${1:-nvcc}" = nvcc ] && command -v /usr/local/cuda/bin/nvcc; })
[ -z "$compiler" ] || compiler=$(realpath "$compiler")
if [ -z "$compiler" ]; then
  echo "skipped: there is no ${1:-nvcc} here"
  exit 77
fi
shift
jobs=$(nproc)
if [ "${1:-}" = -j ]; then
  jobs=$2
  shift 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export compiler here work
