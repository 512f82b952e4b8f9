"""Text files as text, or an error that names the line."""

from __future__ import annotations

from pathlib import Path

from misread.errors import InputFileError


def read_text(path: Path, *, encoding: str = "utf-8") -> str:
    """Read a whole text file without changing a character of it: line ends and a byte order mark stay.

    Parameters
    ----------
    path : Path
        The file.
    encoding : str
        Its encoding.

    Returns
    -------
    str

    Raises
    ------
    InputFileError
        If the file is missing or is not in that encoding; names file and line.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputFileError(f"there is no file {path}.") from None
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return data.decode(encoding)
    except LookupError:
        raise InputFileError(f"{path}: there is no encoding {encoding!r}.") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputFileError(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is no {encoding}; "
            "convert the file to UTF-8 or name its encoding."
        ) from None


def split_lines(text: str) -> list[str]:
    r"""Lines of a text: the newline at its end opens no further line, a blank line inside is a line.

    Only line feed, alone or after a carriage return, ends a line; other separators are characters of the text.

    Examples
    --------
    >>> split_lines("one\n\nthree\n")
    ['one', '', 'three']
    >>> split_lines("")
    []
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines
