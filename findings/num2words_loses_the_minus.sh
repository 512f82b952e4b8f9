#!/usr/bin/env bash
# num2words: minus one half is one half, and a tenth and a hundredth may have one name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check num2words==0.5.14
venv/bin/python - << 'EOF'
from importlib.metadata import version

from num2words import num2words

print("num2words", version("num2words"))
print("Numbers between -1 and 0 lose their sign; in Bengali and Persian, zeros after the point go.")
for language, one, other in (("en", -0.5, 0.5), ("de", -0.5, 0.5), ("fr", -0.25, 0.25), ("bn", 0.01, 0.1), ("fa", 1.05, 1.5)):
    words = [num2words(number, lang=language) for number in (one, other)]
    print(language, one, other, words)
    assert words[0] == words[1]
assert num2words(-1.5) == "minus one point five"
EOF
