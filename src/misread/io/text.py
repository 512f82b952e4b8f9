"""Reading of text files, with errors that name the line."""

import codecs
import shlex
from pathlib import Path
from typing import Final

from misread.errors import InputFileError, UnknownNameError, setting
from misread.io.pointers import absence, pointer_in

UTF_8: Final = "utf-8"

MOST_STREAM_BYTES: Final = 1 << 28
"""Limit for a pipe or device, whose size is unknown and which may never end."""

_MARK: Final = "\ufeff"
# UTF-32 comes first: its little-endian mark begins with that of UTF-16.
_MARKED: Final = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Offered for an unknown name, out of about a hundred.
_COMMON_ENCODINGS: Final = ("utf-8", "utf-16", "utf-16-le", "latin-1", "cp1250", "cp1251", "cp1252", "mac-roman")
_OF_DOMAINS: Final = ("idna", "punycode")
# Signatures of files that are not text, and what to do with them.
_NOT_TEXT: Final = {
    b"\x89PNG\r\n\x1a\n": ("a PNG image", "give the text that was read of it"),
    b"\xff\xd8\xff": ("a JPEG image", "give the text that was read of it"),
    b"II*\0": ("a TIFF image", "give the text that was read of it"),
    b"MM\0*": ("a TIFF image", "give the text that was read of it"),
    b"fLaC\0": ("a FLAC recording", "give the text that was heard in it"),
    b"OggS\0": ("an Ogg recording", "give the text that was heard in it"),
    b"%PDF-1.": ("a PDF document", "take the text out of it first"),
    b"%PDF-2.": ("a PDF document", "take the text out of it first"),
    b"PK\x03\x04": ("an archive, as DOCX and ODT are", "take the text out of it first"),
    b"\x1f\x8b\x08": ("compressed by gzip", "unpack it first"),
    b"PAR1": ("a Parquet file", f"call it .parquet, unless it is, and give it as a table ({setting('table')})"),
}
_CONTROL_BYTES: Final = bytes(range(0x20))
# Bytes or characters from which a format is recognized; a first string of JSON may be the whole text of a recording.
_START: Final = 1 << 16
_START_OF_JSON: Final = 1 << 20


def read_text(path: Path, *, encoding: str = UTF_8) -> str:
    """Read a whole text file, unchanged to the line ends; a pipe or device gives up to `MOST_STREAM_BYTES`.

    A byte order mark is not part of the text; that of UTF-16 or UTF-32 overrides `encoding`. Raises InputFileError if
    the file is missing, endless, not text at all, or not in that encoding.
    """
    encoding = check_encoding(encoding)
    data = read_bytes(path)
    for mark, (what, instead) in _NOT_TEXT.items():
        if data.startswith(mark):
            raise InputFileError(f"{path} is {what}, not text; {instead}.")
    encoding = next((marked for mark, marked in _MARKED.items() if data.startswith(mark)), encoding)
    seeming = _find_wide_encoding(data) if encoding == UTF_8 else ""
    if seeming:
        raise InputFileError(
            f"{path} is not UTF-8 but seems to be {seeming} without a byte order mark; convert it: "
            f"{_conversion(path, seeming)}."
        )
    try:
        return data.decode(encoding).removeprefix(_MARK)
    except UnicodeDecodeError as error:
        if b"\0" in data and encoding == UTF_8:
            raise InputFileError(f"{path} is binary, not text; take the text out of it first.") from None
        line = data[: error.start].decode(encoding, errors="ignore").count("\n") + 1
        raise InputFileError(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is not valid {encoding.upper()}; name the encoding "
            f"that it is in ({setting('encoding')}), or convert it, such as by {_conversion(path, 'WINDOWS-1252')}."
        ) from None


def read_start(path: Path, *, most: int = _START) -> tuple[str, bool]:
    """Start of a file, to recognize its format by, and whether it is the whole file; empty for a pipe or device.

    Bytes that cannot be decoded are left out.
    """
    if not path.is_file():
        return "", False
    try:
        with path.open("rb") as stream:
            start = stream.read(most + 1)
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror}.") from None
    encoding = next((marked for mark, marked in _MARKED.items() if start.startswith(mark)), UTF_8)
    text = start[:most].decode(encoding, errors="ignore").removeprefix(_MARK)
    if len(start) > most == _START and _is_json(text):
        return read_start(path, most=_START_OF_JSON)
    return text, len(start) <= most


def take_start(text: str) -> str:
    """Start of a text that `read_start` would read of its file."""
    return text[: _START_OF_JSON if _is_json(text) else _START]


def _is_json(text: str) -> bool:
    return text[:_START].lstrip().startswith(("{", "["))


def check_encoding(name: str) -> str:
    """Canonical name of a text encoding; raises UnknownNameError if there is none of this name."""
    try:
        encoding = codecs.lookup(name).name
        b"".decode(encoding)
    except (LookupError, ValueError):
        encoding = ""
    if not encoding or encoding in _OF_DOMAINS:
        raise UnknownNameError("encoding", name, _COMMON_ENCODINGS, where=setting("encoding"))
    return encoding


def split_lines(text: str) -> list[str]:
    """Lines of a text, blank ones too; a newline at the end does not start another line.

    Only line feed, alone or after a carriage return, ends a line; other separators are characters of the text.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def as_unicode(text: str) -> str:
    """Text with escapes for halves of surrogate pairs, such as those in names of files that are not UTF-8."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def join_lines(text: str) -> str:
    """Text with line feeds as line ends, whatever system wrote it, and none at the end."""
    return "\n".join(split_lines(text))


def read_bytes(path: Path) -> bytes:
    """Content of a file, or up to `MOST_STREAM_BYTES` of a pipe or device.

    Raises InputFileError if there is none, or a pointer in its place.
    """
    try:
        if path.is_file() or path.is_dir():
            data = path.read_bytes()
            if pointer := pointer_in(data):
                raise InputFileError(f"{path} is {pointer}.")
            return data
        with path.open("rb") as stream:
            data = stream.read(MOST_STREAM_BYTES + 1)
    except FileNotFoundError:
        raise InputFileError(f"{absence(path)}.") from None
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror}.") from None
    except MemoryError:
        raise InputFileError(f"{path} is larger than the free memory.") from None
    if len(data) > MOST_STREAM_BYTES:
        raise InputFileError(
            f"{path} is not a regular file and gives more than {MOST_STREAM_BYTES:,} bytes, perhaps without end; "
            "save what you need in a file."
        )
    return data


def _find_wide_encoding(data: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, which decodes as UTF-8 with many control characters; else empty.

    The high byte of a character has few bits: it is 0 in UTF-32, and below 0x20 for most scripts in UTF-16.
    """
    if b"\0" not in data:
        return ""
    for name, width, high, few_bits in (
        ("UTF-16LE", 2, 1, _CONTROL_BYTES),
        ("UTF-16BE", 2, 0, _CONTROL_BYTES),
        ("UTF-32LE", 4, 3, b"\0"),
        ("UTF-32BE", 4, 0, b"\0"),
    ):
        highs, lows = data[high::width], data[width - 1 - high :: width]
        expected, swapped = (len(side) - len(side.translate(None, few_bits)) for side in (highs, lows))
        if expected > max(len(highs) // 2, swapped) and _is_text(data, name):
            return name
    return ""


def _is_text(data: bytes, encoding: str) -> bool:
    try:
        return "\0" not in data.decode(encoding)
    except UnicodeDecodeError:
        return False


def _conversion(path: Path, encoding: str) -> str:
    new = f"{path.stem}.utf8{path.suffix}"
    return f"`iconv -f {encoding} -t UTF-8 {shlex.quote(str(path))} > {shlex.quote(new)}`"
