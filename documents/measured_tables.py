"""Tables in documents that a command measures and writes, between markers that name it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def markers(command: str) -> tuple[str, str]:
    """Lines before and after the table of a command."""
    return f"<!-- table: {command} -->", f"<!-- end of table: {command} -->"


def replace_table(path: Path, command: str, table: Sequence[str]) -> None:
    """Replace the table between its markers."""
    begin, end = markers(command)
    text = path.read_text(encoding="utf-8")
    if begin not in text or end not in text:
        raise SystemExit(f"{path} has no lines {begin} and {end}: put them where the table belongs.")
    before, rest = text.split(begin, 1)
    after = rest.split(end, 1)[1]
    lines = "\n".join(table)
    path.write_text(f"{before}{begin}\n{lines}\n{end}{after}", encoding="utf-8")
