#!/usr/bin/env bash
# sclite: capitals are no errors from A to Z, and errors in all other letters, with -e utf-8 too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
sclite=$(command -v sclite || echo /usr/lib/sctk/bin/sclite)
test -x "$sclite" || { echo "sclite is missing: apt-get install sctk (2.4.10 in Debian 12)" >&2; exit 2; }
echo 'The Cat École Über (ann_1)' > reference.trn
echo 'the cat école über (ann_1)' > lower.trn
"$sclite" 2>&1 | grep -o 'Version: .*' || true
echo "Of four words that begin with a capital, the two that begin with another letter than A to Z are wrong."
for options in '' '-e utf-8' '-s'; do
    # shellcheck disable=SC2086
    "$sclite" $options -i spu_id -r reference.trn trn -h lower.trn trn -o sum stdout > sum.txt 2> /dev/null
    echo "sclite $options: $(grep Sum sum.txt)" | tee -a sums.txt
done
test "$(grep -c '|    1      4 | 50.0   50.0    0.0    0.0   50.0' sums.txt)" = 2
grep -q 'sclite -s: .*|    1      4 |  0.0  100.0    0.0    0.0  100.0' sums.txt
