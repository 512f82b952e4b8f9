#!/usr/bin/env bash
# Tesseract: a white picture has letters, where it is read as one line, word or character.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v tesseract > /dev/null || { echo "tesseract is missing: apt-get install tesseract-ocr (5.3.0 in Debian 12)" >&2; exit 2; }
python3 - << 'EOF'
from pathlib import Path

Path("white.pgm").write_bytes(b"P5 600 200 255\n" + b"\xff" * 600 * 200)
EOF
tesseract --version 2>&1 | head -n 1
echo "A picture with nothing on it is empty as a page (3) or block (6), and two letters as a line (7), word (8), character (10) or raw line (13)."
seen=""
for mode in 3 6 7 8 10 13; do
    text=$(tesseract white.pgm - --psm "$mode" 2> /dev/null)
    echo "--psm $mode: '$text'"
    seen="$seen$mode=$text;"
done
test "$seen" = "3=;6=;7=SO;8=SO;10=SO;13=SO;"
