"""XML files by others: nothing is expanded or fetched, and depth and size are limited."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Final

from misread.errors import InputFileError, needed_for
from misread.io.text import read_bytes

MOST_BYTES: Final = 1 << 27
"""Size of the largest file that is read."""

LARGE: Final = 1 << 22
"""Size of files above which parts are read one by one, which takes more time and less memory."""

BEFORE_ROOT: Final = r"(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*+"
"""Pattern of the text that may precede the root element."""

# Without huge_tree, libxml2 reads elements that are up to 256 deep, and texts of up to 10 MB.
CLOSED: Final = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
"""Options of the parser."""
WITHOUT_INDENTS: Final = {**CLOSED, "remove_blank_text": True}
"""Options of the parser that leave out white space between elements."""

# What libxml2 says, and what it means for a file.
_REASONS: Final = {
    "amplification factor": "its entities expand to far more text than it has; entities are not allowed",
    "Excessive depth": "its elements are nested more than 256 deep",
    "Text node too long": "a text of it is longer than 10 MB",
    "Buffer size limit": "a text of it is longer than 10 MB",
}
_POSITION: Final = re.compile(r"\s*,? line \d+, column \d+\s*$")


def import_etree() -> Any:
    """The module lxml.etree."""
    with needed_for("XML files need", "lxml", "xml"):
        from lxml import etree
    return etree


def read_root(
    path: Path,
    *,
    part: str = "",
    take: Callable[[Any], None] | None = None,
    options: Mapping[str, bool] = WITHOUT_INDENTS,
) -> Any:
    """Root of a file, as `parse`; raises InputFileError as well if it is too large.

    Of a file above `LARGE`, elements called `part` are given to `take` as soon as they end, and then emptied, so that
    it need not be in memory as a whole.
    """
    size = _require_size(path)
    if take is None or size <= LARGE:
        return parse(path, read_bytes(path), options)
    etree = import_etree()
    with _open(path) as stream:
        events = etree.iterparse(stream, events=("end",), tag=f"{{*}}{part}", **options)
        try:
            for number, (_, element) in enumerate(events):
                if not number:
                    _refuse_entities(path, element)
                take(element)
                before = element.getprevious()
                if before is not None and before.tag == element.tag:
                    element.getparent().remove(before)
                element.clear()
        except etree.XMLSyntaxError as error:
            raise not_well_formed(path, error) from None
    _refuse_entities(path, events.root)
    return events.root


def require_root(path: Path, element: Any, *, root: str, namespaces: re.Pattern[str], format_name: str) -> None:
    """Refuse a root with another name or namespace, or a file with a document type."""
    if element.getroottree().docinfo.doctype:
        raise InputFileError(f"{path}, line 1: declares a document type, which {format_name} does not have; remove it.")
    name = import_etree().QName(element)
    location = f"{path}, line {element.sourceline}"
    if name.localname != root:
        raise InputFileError(f"{location}: the root is <{name.localname}>, expected <{root}> of {format_name}.")
    if not namespaces.fullmatch(name.namespace or ""):
        raise InputFileError(
            f"{location}: <{root}> is in the namespace {name.namespace or ''!r}, which is not one of {format_name}."
        )


@cache
def compile_paths(prefix: str, paths: tuple[str, ...]) -> list[Any]:
    """Expressions of XPath, in which p: is the namespace that names of elements have as a prefix, in braces."""
    etree, name = import_etree(), prefix.strip("{}")
    written = paths if name else tuple(path.replace("p:", "") for path in paths)
    names = {"p": name} if name else None
    return [etree.XPath(path, namespaces=names, smart_strings=False) for path in written]


def parse(path: Path, data: bytes, options: Mapping[str, bool] = CLOSED) -> Any:
    """Root of XML; nothing is expanded or fetched, and it may have a document type that declares no entity.

    Raises InputFileError with file and line if it is not well-formed.
    """
    etree = import_etree()
    try:
        root = etree.fromstring(data, etree.XMLParser(**options))
    except etree.XMLSyntaxError as error:
        raise not_well_formed(path, error) from None
    _refuse_entities(path, root)
    return root


def read_limited(path: Path) -> bytes:
    """Content of a file that is not larger than `MOST_BYTES`."""
    _require_size(path)
    return read_bytes(path)


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror}.") from None


def _refuse_entities(path: Path, root: Any) -> None:
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and next(iter(declared.iterentities()), None) is not None:
        raise InputFileError(f"{path}, line 1: declares entities, which are not allowed; write the text itself.")


def _require_size(path: Path) -> int:
    """Size of a file that is not larger than `MOST_BYTES`; 0 if it is no file."""
    size = path.stat().st_size if path.is_file() else 0
    if size > MOST_BYTES:
        raise InputFileError(
            f"{path} has more than {MOST_BYTES:,} bytes, which is the limit of XML; split it by pages."
        )
    return size


def not_well_formed(path: Path, error: Any) -> InputFileError:
    """Error for what the parser says."""
    message, line = str(error.msg or "no element found"), error.lineno
    if not line and len(error.error_log):
        # After an entity that is not declared, the parser says only that it got nothing.
        message, line = error.error_log[-1].message, error.error_log[-1].line
    return InputFileError(f"{path}, line {line or 1}: not well-formed XML ({explain(message)}).")


def explain(message: str) -> str:
    """Meaning of a message of libxml2 for a file, without its position or the text that may follow it."""
    said = _POSITION.sub("", message).strip().partition("\n")[0].strip()
    return next((means for part, means in _REASONS.items() if part in said), said)
