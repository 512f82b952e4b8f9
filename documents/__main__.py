"""Update of console blocks and tables in the documents: `make examples`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from documents.blocks import DOCUMENTS, ROOT, run_console, with_outputs, with_tables


def main() -> None:
    """Run every console block and copy every table; print the documents that changed."""
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            fresh = with_tables(with_outputs(text, lambda block: run_console(block, Path(folder))))
        if fresh != text:
            document.write_text(fresh, encoding="utf-8")
            print(f"changed {document.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
