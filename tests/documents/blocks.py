"""Fenced blocks of the README, the guide and the pages beside it, as Sybil finds and evaluates them."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sybil import Document, Example
from sybil.parsers.markdown import CodeBlockParser

from misread.cli import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
FOR_A_SHELL = re.compile(r"[|<>;&$`*?~\\#]")
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
    """Run the lines that begin with "$ ", beside the guide's examples, and compare what is printed.

    misread runs in this process, as to start another one takes longer than most commands; a shell does all else. An
    output that is no longer the one shown is what comes back, to be put in its place.
    """
    shutil.copytree(EXAMPLES, Path.cwd(), dirs_exist_ok=True)
    commands = [line.removeprefix("$ ") for line in example.parsed.splitlines() if line.startswith("$ ")]
    shown, status, err = "".join(f"$ {command}\n" for command in commands), 0, ""
    for command in commands:
        first, _, filters = command.partition(" | ")
        if first.startswith("misread ") and not FOR_A_SHELL.search(first):
            status, out, err = run_here(first)
            if filters and not status:
                status, out, err = run_in_shell(filters, out)
        else:
            status, out, err = run_in_shell(command)
        shown += out
        if status:
            break
    return f"status {status}, {err}\n{shown}" if status or shown != example.parsed else None


def run_in_shell(command: str, content: str = "") -> tuple[int, str, str]:
    """Status of a command with this standard input, what it printed, and complaints."""
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-euc", command], env=environment, input=content, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def run_here(command: str) -> tuple[int, str, str]:
    """The same of misread, without a process of its own."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    status = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_COLOR", "1")
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(sys, "argv", shlex.split(command))
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
    return status, *(stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
