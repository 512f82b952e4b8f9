#!/usr/bin/env bash
# whisper-normalizer: number words of different phrases, and a second or an o'clock, become one number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check whisper-normalizer==0.1.15
venv/bin/python - << 'EOF'
from importlib.metadata import version

from whisper_normalizer.english import EnglishTextNormalizer

texts = {
    "it took one second": "it took 12nd",
    "at this point three people left": "at this .3 people left",
    "two twenty dollar bills": "$220 bills",
    "from one to two three times": "from one to 23 times",
    "five o'clock": "50 clock",
}
normalize = EnglishTextNormalizer()
print("whisper-normalizer", version("whisper-normalizer"))
print("Number words that follow each other are one number, also where an ordinal, a point or an o follows.")
for text in texts:
    print(f"{text!r} -> {normalize(text)!r}")
assert {text: normalize(text) for text in texts} == texts
EOF
