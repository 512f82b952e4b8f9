"""Parts of pages that programs write, between a line that names the command and a line that ends the part."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


def read_part(path: Path, command: str) -> list[str]:
    """Lines of the part of a page that a command wrote."""
    return _divide(path, command)[1].strip("\n").split("\n")


def replace_part(path: Path, command: str, lines: Sequence[str]) -> None:
    """Replace the part of a page that a command writes."""
    before, _, after = _divide(path, command)
    path.write_text("\n".join((before, *lines, after)), encoding="utf-8")


def _divide(path: Path, command: str) -> tuple[str, str, str]:
    """What stands before a part, with its first line, the part itself, and the rest."""
    start, end = f"<!-- table: {command} -->", f"<!-- end of table: {command} -->"
    text = path.read_text(encoding="utf-8")
    if start not in text or end not in text:
        raise SystemExit(f"{path} has no lines {start} and {end}: put them where the table belongs.")
    before, rest = text.split(start, 1)
    part, after = rest.split(end, 1)
    return before + start, part, end + after
