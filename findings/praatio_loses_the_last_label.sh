#!/usr/bin/env bash
# praatIO: the last label of a short TextGrid that ends without a line end, as tgt writes it, is left out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check praatio==6.2.2 tgt==1.5 numpy==2.4.6
venv/bin/python - << 'EOF'
from importlib.metadata import version
from pathlib import Path

import tgt
from praatio import textgrid

tier = tgt.IntervalTier(0, 3, "words")
for start, word in enumerate(("one", "two", "three")):
    tier.add_interval(tgt.Interval(start, start + 1, word))
grid = tgt.TextGrid()
grid.add_tier(tier)
tgt.write_to_file(grid, "tgt.TextGrid", format="short")
Path("ended.TextGrid").write_text(Path("tgt.TextGrid").read_text() + "\n")
print("praatio", version("praatio"), "tgt", version("tgt"))
print("Of three labels praatIO reads two, tgt all; with a line end after the last, praatIO reads all as well.")
labels = {}
for name in ("tgt", "ended"):
    entries = textgrid.openTextgrid(f"{name}.TextGrid", includeEmptyIntervals=False).getTier("words").entries
    labels[name] = [entry.label for entry in entries]
    print(f"{name}.TextGrid:", labels[name])
assert labels == {"tgt": ["one", "two"], "ended": ["one", "two", "three"]}
assert [entry.text for entry in tgt.io.read_textgrid("tgt.TextGrid").tiers[0]] == labels["ended"]
EOF
