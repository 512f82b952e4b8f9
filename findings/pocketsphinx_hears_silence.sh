#!/usr/bin/env bash
# PocketSphinx: samples that are all 0 are a word, if they are given at once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check pocketsphinx==5.1.1
venv/bin/python - << 'EOF'
from importlib.metadata import version

from pocketsphinx import Decoder

RATE = 16_000


def read(seconds, *, at_once):
    decoder = Decoder(loglevel="FATAL")
    silence = bytes(2 * int(RATE * seconds))
    decoder.start_utt()
    if at_once:
        decoder.process_raw(silence, full_utt=True)
    else:
        for start in range(0, len(silence), 4096):
            decoder.process_raw(silence[start : start + 4096])
    decoder.end_utt()
    return decoder.hyp().hypstr if decoder.hyp() else ""


durations = (0.5, 1, 2, 10)
whole = [read(seconds, at_once=True) for seconds in durations]
in_pieces = [read(seconds, at_once=False) for seconds in durations]
print("pocketsphinx", version("pocketsphinx"), "with its model en-us")
print("Silence of 0.5 to 10 seconds is read as a word with full_utt=True, and as nothing in pieces of 4,096 bytes.")
print("at once:", whole)
print("in pieces:", in_pieces)
assert whole == ["dog"] * 4
assert in_pieces == [""] * 4
EOF
