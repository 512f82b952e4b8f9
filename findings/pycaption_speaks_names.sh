#!/usr/bin/env bash
# pycaption: names of voices in WebVTT are words, and so are the tags of SRT that it writes as WebVTT.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check pycaption==2.3.14
printf '%s\n' WEBVTT '' '00:01.000 --> 00:02.000' '<v Ann>Good morning' > talk.vtt
printf '%s\n' 1 '00:00:01,000 --> 00:00:02,000' '<i>Good</i> morning' > talk.srt
venv/bin/python - << 'EOF'
from importlib.metadata import version
from pathlib import Path

from pycaption import SRTReader, SRTWriter, WebVTTReader, WebVTTWriter

captions = WebVTTReader().read(Path("talk.vtt").read_text())
texts = [caption.get_text() for caption in captions.get_captions(captions.get_languages()[0])]
written = {
    "talk.vtt as SRT": SRTWriter().write(captions),
    "talk.vtt as WebVTT": WebVTTWriter().write(captions),
    "talk.srt as WebVTT": WebVTTWriter().write(SRTReader().read(Path("talk.srt").read_text())),
}
print("pycaption", version("pycaption"))
print("Ann is no longer a voice: a word more in each of her cues. Italics of SRT are text in WebVTT, where < is escaped.")
print(texts)
for way, content in written.items():
    print(f"{way}: {content.strip().splitlines()[-1]}")
assert texts == ["Ann: Good morning"]
assert "\nAnn: Good morning" in written["talk.vtt as SRT"] and "\nAnn: Good morning" in written["talk.vtt as WebVTT"]
assert "&lt;i>Good&lt;/i> morning" in written["talk.srt as WebVTT"]
EOF
