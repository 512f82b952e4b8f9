#!/usr/bin/env bash
# sclite: an utterance that the system has no line for is in no total, and nothing says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
sclite=$(command -v sclite || echo /usr/lib/sctk/bin/sclite)
test -x "$sclite" || { echo "sclite is missing: apt-get install sctk (2.4.10 in Debian 12)" >&2; exit 2; }
printf '%s\n' 'the cat sat (ann_1)' 'hello world again (ann_2)' 'good bye now (ann_3)' > reference.trn
printf '%s\n' 'the cat sat (ann_1)' 'hello word again (ann_2)' '(ann_3)' > empty.trn
head -n 2 empty.trn > missing.trn
"$sclite" 2>&1 | grep -o 'Version: .*' || true
echo "One of three words in three utterances is wrong and one utterance was not read: 4 of 9 words as an empty line,"
echo "1 of 6 words without its line. Columns: sentences, words, correct, substituted, deleted, inserted, errors (%)."
for name in empty missing; do
    "$sclite" -i spu_id -r reference.trn trn -h "$name.trn" trn -o sum stdout > "$name.txt" 2> "$name.err"
    echo "$name: $(grep Sum "$name.txt") $(cat "$name.err")"
done
grep -q '| Sum/Avg|    3      9 | 55.6   11.1   33.3    0.0   44.4' empty.txt
grep -q '| Sum/Avg|    2      6 | 83.3   16.7    0.0    0.0   16.7' missing.txt
test ! -s missing.err
