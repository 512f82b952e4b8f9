"""XML files by others, read part by part: nothing is expanded or fetched, and depth and size are limited."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from misread.errors import InputFileError
from misread.extras import needed_for
from misread.files.text import MOST_STREAM_BYTES, read_bytes

MOST_BYTES: Final = MOST_STREAM_BYTES
"""Size of the largest file that is read."""

# Without huge_tree, libxml2 reads elements that are up to 256 deep, and texts of up to 10 MB.
CLOSED: Final = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
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


def read_parts(
    path: Path,
    *,
    root: str,
    namespaces: re.Pattern[str],
    format_name: str,
    begun: Collection[str] = (),
    complete: Collection[str],
) -> Iterator[Any]:
    """Elements of a file: those named `begun` when they begin, and the outermost ones of `complete` when they end.

    Only one complete element at a time is held. Raises InputFileError with file and line if the file is not well-formed
    or too large, declares a document type, or its root is not called `root` or in no namespace that matches.
    """
    etree = import_etree()
    data = read_limited(path)
    events = etree.iterparse(
        io.BytesIO(data), events=("start", "end"), tag=[f"{{*}}{name}" for name in (root, *begun, *complete)], **CLOSED
    )
    is_checked = False
    depth = 0
    try:
        for event, element in events:
            if not is_checked:
                _check_root(path, element.getroottree(), root, namespaces, format_name)
                is_checked = True
            name = etree.QName(element).localname
            if name in complete:
                depth += 1 if event == "start" else -1
                if event == "end" and depth == 0:
                    yield element
                    element.clear(keep_tail=True)
                    while element.getprevious() is not None:
                        del element.getparent()[0]
            elif event == "start" and name in begun:
                yield element
    except etree.XMLSyntaxError as error:
        raise not_well_formed(path, error) from None
    if not is_checked:
        _check_root(path, events.root.getroottree(), root, namespaces, format_name)


def read_limited(path: Path) -> bytes:
    """Content of a file that is not larger than `MOST_BYTES`."""
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        raise InputFileError(
            f"{path} has more than {MOST_BYTES:,} bytes, which is the limit of XML; split it by pages."
        )
    return read_bytes(path)


def not_well_formed(path: Path, error: Any) -> InputFileError:
    """Error for what the parser says."""
    message, line = str(error.msg or "no element found"), error.lineno
    if not line and len(error.error_log):
        # After an entity that is not declared, the parser says only that it got nothing.
        message, line = error.error_log[-1].message, error.error_log[-1].line
    said = _POSITION.sub("", message).strip()
    reason = next((means for part, means in _REASONS.items() if part in said), said)
    return InputFileError(f"{path}, line {line or 1}: not well-formed XML ({reason}).")


def refuse_entities(path: Path, tree: Any) -> None:
    """Raise InputFileError if a document declares entities."""
    declared = tree.docinfo.internalDTD
    if declared is not None and next(iter(declared.iterentities()), None) is not None:
        raise InputFileError(f"{path}, line 1: declares entities, which are not allowed; write the text itself.")


def _check_root(path: Path, tree: Any, root: str, namespaces: re.Pattern[str], format_name: str) -> None:
    """Refuse a file that is of another kind."""
    refuse_entities(path, tree)
    if tree.docinfo.doctype:
        raise InputFileError(f"{path}, line 1: declares a document type, which {format_name} does not have; remove it.")
    found = import_etree().QName(tree.getroot())
    place = f"{path}, line {tree.getroot().sourceline}"
    if found.localname != root:
        raise InputFileError(f"{place}: the root is <{found.localname}>, expected <{root}> of {format_name}.")
    if not namespaces.fullmatch(found.namespace or ""):
        raise InputFileError(
            f"{place}: <{root}> is in the namespace {found.namespace or ''!r}, which is not one of {format_name}."
        )
