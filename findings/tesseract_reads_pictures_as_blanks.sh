#!/usr/bin/env bash
# Tesseract: what it takes for pictures and rules are words in TSV, each a blank of confidence 95.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v tesseract > /dev/null || { echo "tesseract is missing: apt-get install tesseract-ocr (5.3.0 in Debian 12)" >&2; exit 2; }
python3 - << 'EOF'
from pathlib import Path

rows = [bytes(x * y % 251 if 40 <= x < 860 and 40 <= y < 500 else 255 for x in range(900)) for y in range(600)]
Path("picture.pgm").write_bytes(b"P5 900 600 255\n" + b"".join(rows))
EOF
tesseract --version 2>&1 | head -n 1
tesseract picture.pgm page txt tsv hocr 2> /dev/null
words=$(awk -F '\t' '$1 == 5 && $12 == " " && $11 > 94' page.tsv | wc -l)
spans=$(grep -c "class='ocrx_word'" page.hocr || true)
echo "A page without a letter has no text and $spans words in hOCR, but $words words in TSV, each a blank; the first two:"
awk -F '\t' '$1 == 5' page.tsv | head -n 2
test -z "$(tr -d '[:space:]' < page.txt)"
test "$words" -eq 11
test "$spans" -eq 0
