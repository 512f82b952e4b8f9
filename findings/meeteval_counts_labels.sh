#!/usr/bin/env bash
# MeetEval: labels, alternatives and segments to ignore of an STM file are words.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check meeteval==0.4.3
cat > reference.stm << 'EOF'
;; CATEGORY "0" "" ""
;; LABEL "O" "Overall" "all segments"
talk 1 ann 0.0 2.0 <O,F> the cat sat
talk 1 ann 2.0 3.0 <O,F> ignore_time_segment_in_scoring
talk 1 ann 3.0 5.0 <O,F> hello { um / @ } world
EOF
printf '%s\n' 'talk 1 ann 0.0 2.0 the cat sat' 'talk 1 ann 3.0 5.0 hello world' > hypothesis.stm
venv/bin/python - << 'EOF'
from importlib.metadata import version

import meeteval

rate = meeteval.wer.cpwer("reference.stm", "hypothesis.stm")["talk"]
print("meeteval", version("meeteval"))
print("All five words are right. The label <O,F>, the signs of { um / @ } and the segment to ignore are 9 missing words.")
print(f"{rate.errors} errors of {rate.length} words: {rate.error_rate}")
assert (rate.errors, rate.length, rate.deletions) == (9, 14, 9)
EOF
