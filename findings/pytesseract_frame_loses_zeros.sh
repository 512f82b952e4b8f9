#!/usr/bin/env bash
# pytesseract: words that look like numbers or missing values are changed in a DataFrame.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v tesseract > /dev/null || { echo "tesseract is missing: apt-get install tesseract-ocr (5.3.0 in Debian 12)" >&2; exit 2; }
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check pytesseract==0.3.13 pandas==3.1.1 pillow==13.0.0
venv/bin/python - << 'EOF'
from importlib.metadata import version

import pytesseract
from PIL import Image, ImageDraw, ImageFont


def read(text):
    page = Image.new("L", (700, 120), "white")
    ImageDraw.Draw(page).text((20, 20), text, font=ImageFont.load_default(48), fill="black")
    outputs = pytesseract.Output
    frame, words = (pytesseract.image_to_data(page, output_type=kind) for kind in (outputs.DATAFRAME, outputs.DICT))
    return [word for word in words["text"] if word], frame["text"].tolist()[-3:]


print("pytesseract", version("pytesseract"), "with Tesseract", pytesseract.get_tesseract_version())
print("The words of a page are numbers without their zeros, or nan, in the DataFrame; the dictionary has what was read.")
numbers, missing = read("007 042 3.10"), read("null NA None")
print("dictionary and DataFrame:", *numbers)
print("dictionary and DataFrame:", *missing)
assert numbers == (["007", "042", "3.10"], [7.0, 42.0, 3.1])
assert missing[0] == ["null", "NA", "None"]
assert all(word != word for word in missing[1])
EOF
