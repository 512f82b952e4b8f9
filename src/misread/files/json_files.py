"""JSON and text files in UTF-8: keys in the given order, never NaN or Infinity."""

import json
import re
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from misread.errors import InputFileError
from misread.files.atomic import replacing
from misread.files.text import read_text

Made = TypeVar("Made")

# JSON can escape one half of a surrogate pair, which cannot be written as UTF-8 in later stages.
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 without changing line ends; surrogates from undecodable file names become escapes, as in JSON."""
    with replacing(path) as temporary:
        temporary.write_bytes(_to_bytes(text))


def write_json(path: Path, content: object) -> None:
    """Write JSON; raises ValueError for NaN and Infinity, which other readers of JSON refuse."""
    with replacing(path) as temporary:
        temporary.write_bytes(to_json(content))


def to_json(content: object) -> bytes:
    """Content of a JSON file."""
    return _to_bytes(dump_json(content) + "\n")


def dump_json(content: object, *, ensure_ascii: bool = False) -> str:
    """Indented JSON of plain values, and of dataclasses and NumPy numbers among them; never NaN and Infinity."""
    return json.dumps(content, ensure_ascii=ensure_ascii, indent=2, allow_nan=False, default=to_plain)


def to_plain(value: object) -> Any:
    """A dataclass as dicts, lists, texts and numbers."""
    from msgspec import to_builtins

    return to_builtins(value, enc_hook=_number)


def _number(value: Any) -> Any:
    """Plain number of a NumPy scalar."""
    import numpy as np

    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _to_bytes(text: str) -> bytes:
    return text.encode("utf-8", errors="backslashreplace")


def read_json(path: Path) -> Any:
    """Read JSON; a file that is missing, not UTF-8 or not valid JSON raises InputFileError."""
    if not path.exists():
        raise InputFileError(f"{path} is not there; run `dvc repro` to make it.")
    return decode_json(read_text(path), path)


def read_record(path: Path, kind: type[Made], *, command: str = "dvc repro") -> Made:
    """Read JSON as a dataclass.

    InputFileError names what is lacking or of another type, and the command that writes the file again.
    """
    from msgspec import ValidationError, convert

    content = read_json(path)
    try:
        return convert(content, kind)
    except ValidationError as error:
        raise InputFileError(
            f"{path}: {error}; another version of misread wrote it; run `{command}` to write it again."
        ) from None


def decode_json(text: str, path: Path, *, line: int | None = None) -> Any:
    """Value of JSON text, strictly by the standard (RFC 8259, section 4) and with distinct names in each object.

    The text is a whole file, or its line number `line`; both are for messages. InputFileError names file and line of
    what is not valid JSON, occurs twice, has half of a surrogate pair, or is nested too deeply.
    """
    place = str(path) if line is None else f"{path}, line {line}"

    def take(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise InputFileError(f"{place}: {name!r} occurs twice in one object; keep one of them.")
            found[name] = value
        return found

    def refuse(constant: str) -> NoReturn:
        raise InputFileError(f"{place}: {constant} is not valid JSON; write null for no value.")

    try:
        value = json.loads(text, object_pairs_hook=take, parse_constant=refuse)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise InputFileError(
            f"{path}, line {line or error.lineno}: not valid JSON ({error.msg}, column {error.colno})."
        ) from None
    except UnicodeEncodeError:
        raise InputFileError(f"{place}: a text holds half of a surrogate pair, which is not a character.") from None
    except RecursionError:
        raise InputFileError(f"{place}: JSON nested too deeply to be read.") from None
    except ValueError as error:
        raise InputFileError(f"{place}: JSON that cannot be read ({error}).") from None
    return value
