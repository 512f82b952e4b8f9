#!/usr/bin/env bash
# google-cloud-vision: the space after a symbol has another name and value in every way to write an answer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check google-cloud-vision==3.16.0
venv/bin/python - << 'EOF'
import json
from importlib.metadata import version

from google.cloud import vision

kind = vision.TextAnnotation.DetectedBreak
space = kind(type_=kind.BreakType.SPACE)
written = {
    "to_json": json.loads(kind.to_json(space)),
    "to_json, names kept": json.loads(kind.to_json(space, preserving_proto_field_name=True)),
    "to_json, names of values": json.loads(kind.to_json(space, use_integers_for_enums=False)),
    "to_dict": kind.to_dict(space),
}
print("google-cloud-vision", version("google-cloud-vision"))
print("The service answers {'type': 'SPACE'}. A reader that looks for it joins the words of what the client writes.")
for way, content in written.items():
    print(f"{way}:", content)
assert [content.get("type") for content in written.values()] == [1, None, "SPACE", None]
assert written["to_dict"]["type_"] == written["to_json, names kept"]["type_"] == 1
EOF
