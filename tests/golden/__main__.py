"""Write examples of layouts that have none yet, pin their digests, list what is public: `python -m tests.golden`."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from tests.golden.examples import EXAMPLES
from tests.golden.layouts import PINNED, digest_layout, plain
from tests.golden.public import PINNED as PUBLIC
from tests.golden.public import dump_public

from misread.io.layouts import LAYOUTS


def main() -> None:
    """Add to the folder of each version; a version that was pinned stays as it is."""
    pinned = json.loads(PINNED.read_text(encoding="utf-8")) if PINNED.is_file() else {}
    for kind, example in EXAMPLES.items():
        version = str(LAYOUTS[kind])
        path = PINNED.parent / version / example.name
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / example.name
            example.write(made)
            digest = digest_layout(made)
            if pinned.setdefault(kind, {}).setdefault(version, digest) != digest:
                sys.exit(
                    f"the layout of {kind} has changed: increase its version in src/misread/io/layouts.py, and run "
                    "this again."
                )
            if not path.exists():
                path.parent.mkdir(exist_ok=True)
                expected = json.dumps(plain(example.read(made)), ensure_ascii=False, indent=1)
                (shutil.copytree if made.is_dir() else shutil.copy)(made, path)
                path.with_name(f"{example.name}.expected").write_text(f"{expected}\n", encoding="utf-8")
    PINNED.write_text(json.dumps(pinned, indent=2) + "\n", encoding="utf-8")
    PUBLIC.write_text(dump_public(), encoding="utf-8")


if __name__ == "__main__":
    main()
