"""Blocks of a Markdown file, by their language, and what their commands print."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "guide" / "examples"
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/guide").glob("*.md")))

_BLOCK = r"^```{language}\n(.*?)^```$"
_TABLE = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def blocks(text: str, language: str) -> list[str]:
    """Contents of the fenced blocks of one language."""
    return re.findall(_BLOCK.format(language=language), text, flags=re.DOTALL | re.MULTILINE)


def run_console(block: str, folder: Path) -> str:
    """Run the commands of a console block, and give the block as it should be: each command with what it prints.

    Parameters
    ----------
    block : str
        Lines that begin with "$ " are commands; they share one shell.
    folder : Path
        Where to run; the files of the guide's examples are copied there.

    Raises
    ------
    subprocess.CalledProcessError
        If a command fails.
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
    """Give a document in which every console block shows what its commands print now."""
    pattern = re.compile(_BLOCK.format(language="console"), flags=re.DOTALL | re.MULTILINE)
    return pattern.sub(lambda found: f"```console\n{run(found[1])}```", text)


def with_tables(text: str) -> str:
    """Give a document in which every table is that of the committed results."""
    return _TABLE.sub(lambda found: found[1] + (ROOT / found[2]).read_text(encoding="utf-8") + found[3], text)
