"""Fenced blocks of the README, the guide and the pages beside it, as Sybil finds and evaluates them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from sybil import Document, Example
from sybil.parsers.markdown import CodeBlockParser

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
KINDS = ("tutorials", "how-to", "reference", "explanation")
"""Folders of the pages for readers, by what a reader wants of them."""

DOCUMENTS = (
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(page for kind in KINDS for page in sorted((ROOT / "docs" / kind).glob("*.md"))),
)


def blocks(document: Path, language: str) -> list[str]:
    """Contents of the fenced blocks of one language."""
    return [example.parsed for example in Document.parse(str(document), CodeBlockParser(language, lambda _: None))]


def run_console(example: Example) -> str | None:
    """Run the lines that begin with "$ " in one shell, beside the guide's examples, and compare what is printed.

    An output that is no longer the one shown is what comes back, to be put in its place.
    """
    shutil.copytree(EXAMPLES, Path.cwd(), dirs_exist_ok=True)
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    commands = [line.removeprefix("$ ") for line in example.parsed.splitlines() if line.startswith("$ ")]
    done = subprocess.run(
        ["bash", "-euc", "\n".join(commands)], env=environment, capture_output=True, text=True, check=False
    )
    shown = "".join(f"$ {command}\n" for command in commands) + done.stdout
    if done.returncode or shown != example.parsed:
        return f"status {done.returncode}, {done.stderr}\n{shown}"
    return None
