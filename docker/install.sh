#!/bin/sh
# Install jperrant from a source folder with some extras, and try it: what the Dockerfile runs, and .ci/image in a clean root.
set -eu
source=$1 extras=${2:-zh}
python3 -m pip install --no-cache-dir -q ${PIP_OPTIONS:-} -c "$source/constraints.txt" "$source[$extras]"
cd "$(mktemp -d)"
printf 'This are a sentence .\n' > original.txt
printf 'This is a sentence .\n' > corrected.txt
jperrant annotate original.txt corrected.txt --lang en -o edits.m2
grep -qx 'A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0' edits.m2
jperrant score edits.m2 edits.m2
