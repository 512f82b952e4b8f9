#!/usr/bin/env bash
# praatIO: the quotes of a point's label are doubled by every reading and saving.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check praatio==6.2.2
cat > notes.TextGrid << 'EOF'
File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 3
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 3
        intervals: size = 1
        intervals [1]:
            xmin = 0
            xmax = 3
            text = "said ""yes"""
    item [2]:
        class = "TextTier"
        name = "notes"
        xmin = 0
        xmax = 3
        points: size = 1
        points [1]:
            number = 1.5
            mark = "said ""yes"""
EOF
venv/bin/python - << 'EOF'
from importlib.metadata import version

from praatio import textgrid

seen = {"words": [], "notes": []}
for _ in range(3):
    grid = textgrid.openTextgrid("notes.TextGrid", includeEmptyIntervals=False)
    for tier, labels in seen.items():
        labels.append(grid.getTier(tier).entries[0].label)
    grid.save("notes.TextGrid", format="long_textgrid", includeBlankSpaces=True)
print("praatio", version("praatio"))
print("Praat writes a quote in a label twice. Labels of intervals are read as they were; those of points grow.")
for tier, labels in seen.items():
    print(f"{tier}:", *labels)
assert seen["words"] == ['said "yes"'] * 3
assert [label.count('"') for label in seen["notes"]] == [4, 8, 16]
EOF
