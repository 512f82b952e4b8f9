#!/usr/bin/env bash
# RapidOCR: an option of one call holds for all later calls of the engine.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check rapidocr==3.10.0 onnxruntime==1.32.0 opencv-python-headless==5.0.0.93 pillow==13.0.0
venv/bin/python - << 'EOF'
import logging
from importlib.metadata import version

from PIL import Image, ImageDraw, ImageFont
from rapidocr import RapidOCR

logging.disable()
page = Image.new("RGB", (700, 260), "white")
draw, font = ImageDraw.Draw(page), ImageFont.load_default(40)
draw.text((20, 20), "first line here", font=font, fill="black")
draw.text((20, 160), "second one", font=font, fill="black")
page.save("page.png")
engine = RapidOCR()
before = engine("page.png").txts
as_line = engine("page.png", use_det=False).txts
after = engine("page.png").txts
print("rapidocr", version("rapidocr"))
print("The same call, engine(page), reads two lines; after one call with use_det=False it takes the page for one line.")
print("before:", before)
print("with use_det=False:", as_line)
print("the first call again:", after)
assert len(before) == 2
assert after == as_line != before
EOF
