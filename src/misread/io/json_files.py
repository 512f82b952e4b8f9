"""JSON and text files in UTF-8: keys in the given order, never NaN or Infinity."""

import json
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NoReturn, TypeGuard, TypeVar, cast

from misread.errors import InputFileError
from misread.io.atomic import replacing
from misread.io.layouts import check_kind, check_layout, stamp
from misread.io.text import read_text, split_lines
from misread.provenance.signature import Signature

Made = TypeVar("Made")

LARGEST: Final = 1e50
"""No rate, score, time or price is larger; their fourth powers, and sums of them, are finite."""

_CHECKSUM: Final = "crc32"

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

    return to_builtins(value, enc_hook=_plain)


def from_plain(content: object, made: type[Made]) -> Made:
    """A dataclass from what `to_plain` gives; raises ValidationError of msgspec where it does not fit."""
    from msgspec import convert

    return convert(content, made, dec_hook=_made)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value of JSON is a number that can be summed up; a truth value is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def _plain(value: Any) -> Any:
    """Line of a signature, plain number of a NumPy scalar."""
    import numpy as np

    if isinstance(value, Signature):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _to_bytes(text: str) -> bytes:
    return text.encode("utf-8", errors="backslashreplace")


def decode_lines(text: str, path: Path) -> Iterator[tuple[int, Any]]:
    """Values of JSON Lines with the numbers of their lines; blank lines have none. Raises as `decode_json`."""
    for number, line in enumerate(split_lines(text), start=1):
        if line.strip():
            yield number, decode_json(line, path, line=number)


def read_json(path: Path) -> Any:
    """Read JSON; a file that is missing, not UTF-8 or not valid JSON raises InputFileError."""
    if not path.exists():
        raise InputFileError(f"{path} is not there; run `dvc repro` to make it.")
    return decode_json(read_text(path), path)


def write_record(path: Path, record: object, *, kind: str) -> None:
    """Write a dataclass as JSON, with its kind, the version of its layout and a checksum in front."""
    with replacing(path) as temporary:
        temporary.write_bytes(record_to_json(record, kind=kind))


def record_to_json(record: object, *, kind: str) -> bytes:
    """Content of a file of `write_record`."""
    content = to_plain(record)
    return to_json({**stamp(kind), _CHECKSUM: _checksum(content), **content})


def read_record(path: Path, made: type[Made], *, kind: str, command: str = "dvc repro") -> Made:
    """Read JSON as a dataclass.

    InputFileError names a damaged or missing part, a wrong type or an unknown version, and the command
    that writes the file again.
    """
    from msgspec import ValidationError

    again = f"run `{command}` to write it again"
    if not path.exists():
        raise InputFileError(f"{path} is not there; run `{command}` to make it.")
    try:
        content = decode_json(read_text(path), path)
    except InputFileError as error:
        # Other advice follows; the path may have a semicolon too.
        reason = str(error).removeprefix(str(path)).partition("; ")[0]
        raise InputFileError(f"{path}{reason.rstrip('.')}; {again}.") from None
    if isinstance(content, dict):
        check_kind(path, kind, content.pop("kind", None), command=command)
        check_layout(path, kind, content.pop("format", None), command=command)
        if not _is_sum_of(content.pop(_CHECKSUM, None), content):
            raise InputFileError(f"{path} does not have its checksum: it was changed after it was written; {again}.")
    try:
        return from_plain(content, made)
    except ValidationError as error:
        raise InputFileError(f"{path}: {error}; another version of misread wrote it; {again}.") from None


def _made(kind: type, value: Any) -> Any:
    """The signature that a line is of; raises ValueError for another text."""
    if kind is Signature and isinstance(value, str):
        return Signature.parse(value)
    raise TypeError(f"{kind.__name__} is not read from JSON")


def _is_sum_of(checksum: object, content: object) -> bool:
    try:
        return checksum == _checksum(content)
    except (ValueError, RecursionError):
        # A number beyond a float is read as infinite, and was never written.
        return False


def _checksum(content: object) -> str:
    return f"{zlib.crc32(dump_json(content).encode(errors='backslashreplace')):08x}"


def decode_json(text: str, path: Path | str, *, line: int | None = None, with_nan: bool = False) -> Any:
    """Value of JSON text, strictly by the standard (RFC 8259, section 4) and with distinct names in each object.

    The text is a whole file, or its line number `line`; both are for messages. `with_nan` also takes NaN and Infinity,
    which some programs write. InputFileError names file and line if the text is not valid JSON, has a name twice or
    half of a surrogate pair, or is nested too deeply.
    """
    location = str(path) if line is None else f"{path}, line {line}"
    try:
        value = _decode(text, _DECODER_WITH_NAN if with_nan else _DECODER)
        if "\\u" in text and _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except _RefusedError as error:
        kind = RepeatedKeyError if isinstance(error, _RepeatedKeyError) else InputFileError
        raise kind(f"{location}: {error}") from None
    except json.JSONDecodeError as error:
        raise InputFileError(
            f"{path}, line {line or error.lineno}: not valid JSON ({error.msg}, column {error.colno})."
        ) from None
    except UnicodeEncodeError:
        raise InputFileError(f"{location}: a text holds half of a surrogate pair, which is not a character.") from None
    except RecursionError:
        raise InputFileError(f"{location}: JSON nested too deeply to be read.") from None
    except ValueError as error:
        raise InputFileError(f"{location}: JSON that cannot be read ({error}).") from None
    return value


def split_object(content: bytes, location: str, *, names: Iterable[str] = (), within: Any = None) -> dict[str, Any]:
    """Values of a JSON object as they are written, by distinct names; their content is not looked at.

    An object named `within` is split alike, in the same pass if all names are among `names`. Raises ValueError for
    anything else, and for what not every parser takes, such as NaN.
    """
    import msgspec
    import numpy as np

    decode, split = msgspec.json.decode, dict[str, msgspec.Raw]
    try:
        try:
            values = msgspec.structs.asdict(decode(content, type=_shape(tuple(names), within)))
        except msgspec.ValidationError:
            values = decode(content, type=split)
            if memoryview(values.get(within, b""))[:1].tobytes() == b"{":
                values[within] = decode(values[within], type=split)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    inner = values.get(within)
    written = [*values.values(), *(inner.values() if isinstance(inner, dict) else ())]
    parts = [np.frombuffer(value, np.uint8) for value in written if isinstance(value, msgspec.Raw)]
    view, end, without_values = memoryview(content), 0, []
    address = np.frombuffer(content, np.uint8).ctypes.data
    for part in sorted(parts, key=lambda part: part.ctypes.data):
        start = part.ctypes.data - address
        without_values.append(view[end:start])
        end = start + part.size
    # Where a name is there twice, one of its values is left, and refused.
    decode_json(str(b"0".join([*without_values, view[end:]]), "utf-8"), location)
    return {name: value for name, value in values.items() if value is not msgspec.UNSET}


@lru_cache(maxsize=16)
def _shape(names: tuple[str, ...], within: Any) -> type:
    """Object whose values are not decoded; names that no class can have are left out."""
    from msgspec import UNSET, Raw, defstruct

    known = [name for name in names if name.isidentifier() and name[0] != "_"]
    fields = [(name, dict[str, Raw] if name == within else Raw, UNSET) for name in known]
    return defstruct("Object", cast("Any", fields), forbid_unknown_fields=True)


class RepeatedKeyError(InputFileError):
    """JSON with an object that has a key twice; readers would take one of them."""


class _RefusedError(Exception):
    """JSON that Python's parser accepts and the standard does not."""


class _RepeatedKeyError(_RefusedError):
    """An object with a key twice."""


def _take(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _RepeatedKeyError(f"{twice!r} occurs twice in one object; keep one of them.")
    return values


def _refuse(constant: str) -> NoReturn:
    raise _RefusedError(f"{constant} is not valid JSON; write null for no value.")


# Made once: a new one per line of a file would take as long as the line.
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_take, parse_constant=_refuse)
_DECODER_WITH_NAN: Final = json.JSONDecoder(object_pairs_hook=_take)


def _decode(text: str, decoder: json.JSONDecoder) -> Any:
    """Value of JSON text; strips white space only if there is any."""
    try:
        value, end = decoder.raw_decode(text)
    except json.JSONDecodeError:
        return decoder.decode(text)
    return value if not text[end:].strip(" \t\n\r") else decoder.decode(text)
