"""Parts of pages that programs write, between a line that names the command and a line that ends the part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


def read_part(path: Path, command: str) -> list[str]:
    """Lines of the part of a page that a command wrote."""
    start, end = _marks(command)
    return path.read_text(encoding="utf-8").partition(f"{start}\n")[2].partition(f"\n{end}")[0].split("\n")


def replace_part(path: Path, command: str, lines: Sequence[str]) -> None:
    """Replace the part of a page that a command writes."""
    start, end = _marks(command)
    text = path.read_text(encoding="utf-8")
    if start not in text or end not in text:
        raise SystemExit(f"{path} has no lines {start} and {end}: put them where the table belongs.")
    before, rest = text.split(start, 1)
    after = rest.split(end, 1)[1]
    content = "\n".join(lines)
    path.write_text(f"{before}{start}\n{content}\n{end}{after}", encoding="utf-8")


def _marks(command: str) -> tuple[str, str]:
    return f"<!-- table: {command} -->", f"<!-- end of table: {command} -->"
