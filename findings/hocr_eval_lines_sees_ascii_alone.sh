#!/usr/bin/env bash
# hocr-eval-lines: letters outside of ASCII are blanks, so that none of them can be wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check hocr-tools==1.1.1
printf '%s\n' 'Zürich ist schön' 'Мир и война' > truth.txt
cat > misread.hocr << 'EOF'
<html><body><div class="ocr_page"><span class="ocr_line">Zàrich ist schßn</span></div></body></html>
EOF
cat > ascii.hocr << 'EOF'
<html><body><div class="ocr_page"><span class="ocr_line">Zurich ist schon</span></div></body></html>
EOF
venv/bin/pip list 2> /dev/null | grep hocr-tools
echo "Two wrong letters of a line and a whole missing line of Cyrillic are no error; ASCII letters in their place are two."
for name in misread ascii; do
    PYTHONUTF8=1 venv/bin/hocr-eval-lines truth.txt "$name.hocr" | tee "$name.out"
done
grep -qx 'ocr_errors 0' misread.out
grep -qx 'segmentation_errors 0' misread.out
grep -qx 'ocr_errors 2' ascii.out
