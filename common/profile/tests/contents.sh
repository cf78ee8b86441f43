#!/bin/bash
# Compares a profile's content lines with the bytes that copies moved (contents.cu). Call it as one of:
#
#   contents.sh EMUCC                                    in emulation
#   contents.sh NVCC build/lib/libcuda_lab_profile.so    on a GPU
#
# Exits with 0 if they agree.
set -eu
if [[ $# -lt 1 ]]; then
  sed -n '2,7p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'
  exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compiler=$1 library=${2:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
options=(-std=c++17 -I "$here/../../wire/include")
if [[ -n $library ]]; then
  options+=(-arch=native)
  library=$(cd "$(dirname "$library")" && pwd)/$(basename "$library")
  export CUDA_INJECTION64_PATH=$library
fi
"$compiler" "${options[@]}" "$here/contents.cu" -o "$folder/contents"
LAB_PROFILE=$folder/profile.jsonl LAB_PROFILE_CONTENT=1 "$folder/contents" || { grep '"note"' "$folder/profile.jsonl"; exit 1; }
# Without LAB_PROFILE_CONTENT the profile has no content lines.
! LAB_PROFILE=$folder/plain.jsonl "$folder/contents" > /dev/null
! grep -e '"content"' -e host_visible "$folder/plain.jsonl"
