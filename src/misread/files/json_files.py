"""JSON and text files: UTF-8, keys as given, never NaN or Infinity."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from misread.errors import InputFileError
from misread.files.atomic import replacing
from misread.files.text import read_text


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8 with newline line ends."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: Path, content: object) -> None:
    """Write JSON; a value that JSON does not know (NaN, Infinity) is a ValueError, not a file others cannot read."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def read_json(path: Path) -> Any:
    """Read JSON.

    Raises
    ------
    InputFileError
        If the file is missing, is not UTF-8 or is not valid JSON; names the line.
    """
    if not path.exists():
        raise InputFileError(f"{path} is not there; run `dvc repro` to make it.")
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}, line {error.lineno}: not valid JSON ({error.msg}).") from None
    except RecursionError:
        raise InputFileError(f"{path}: JSON nested too deeply to be read.") from None
