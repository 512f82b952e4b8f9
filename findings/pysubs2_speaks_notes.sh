#!/usr/bin/env bash
# pysubs2: comments and names of WebVTT cues are text of the cue before them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check pysubs2==1.8.1
cat > talk.vtt << 'EOF'
WEBVTT

00:01.000 --> 00:02.000
Good morning.

NOTE checked by hand

second
00:02.000 --> 00:03.000
R&amp;D comes first.
EOF
venv/bin/python - << 'EOF'
from importlib.metadata import version

import pysubs2

texts = [event.plaintext for event in pysubs2.load("talk.vtt")]
print("pysubs2", version("pysubs2"))
print("A NOTE and the identifier of the next cue are spoken in the cue before, and &amp; stays as it is written.")
print(texts)
assert texts == ["Good morning.\n\nNOTE checked by hand\n\nsecond", "R&amp;D comes first."]
EOF
