"""Update of console blocks and tables in the documents: `make examples`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tools.documents.blocks import DOCUMENTS, ROOT, run_console, with_outputs, with_tables

# Public data sets that documents name, where `misread data fetch` puts them unless a variable says where they are.
DATA = Path(os.environ.get("MISREAD_DATA_ROOT", ROOT / "downloads")).resolve()


def main() -> None:
    """Run every console block and copy every table; print the documents that changed."""
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "downloads").symlink_to(DATA)
            fresh = with_tables(with_outputs(text, lambda block: run_console(block, Path(folder))))
        if fresh != text:
            document.write_text(fresh, encoding="utf-8")
            print(f"changed {document.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
