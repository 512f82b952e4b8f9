"""Fenced blocks of a Markdown file by language, and the output of their commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "guide" / "examples"
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/guide").glob("*.md")))

_BLOCK = r"^```{language}\n(.*?)^```$"
_TABLE = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def blocks(text: str, language: str) -> list[str]:
    """Contents of the fenced blocks of one language."""
    return re.findall(_BLOCK.format(language=language), text, flags=re.DOTALL | re.MULTILINE)


def run_console(block: str, folder: Path) -> str:
    """Console block with its commands and their current output.

    Lines that begin with "$ " are commands; they run in one shell, in `folder`, to which the guide's examples are
    copied. Raises CalledProcessError if one fails.
    """
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    output = subprocess.run(
        ["bash", "-euc", "\n".join(commands)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return "".join(f"$ {command}\n" for command in commands) + output


def with_outputs(text: str, run: Callable[[str], str]) -> str:
    """Document with the current output in every console block."""
    pattern = re.compile(_BLOCK.format(language="console"), flags=re.DOTALL | re.MULTILINE)
    return pattern.sub(lambda found: f"```console\n{run(found[1])}```", text)


def with_tables(text: str) -> str:
    """Document with every table taken from the committed results."""
    return _TABLE.sub(lambda found: found[1] + (ROOT / found[2]).read_text(encoding="utf-8") + found[3], text)
