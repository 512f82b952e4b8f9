"""Transcripts with one token per line, as in Rev's corpora, and their alternative wordings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from misread.data.formats.tables import require_distinct_columns
from misread.errors import InputFileError
from misread.io.checks.choices import check_choice
from misread.io.json_files import decode_json
from misread.io.text import UTF_8, read_text, split_lines
from misread.text.alternatives import Choice, Item, Items, Word

_TAG: Final = re.compile(r"\['(?P<id>[^':]+):[^']*'.*\]")
_TAGS: Final = re.compile(r"\['[^']*'(?:, *'[^']*')*\]")
_UNLABELLED: Final = "UNLABELLED"
_EVENT: Final = re.compile(r"<[^<>]*>")


def read_nlp(path: Path, alternatives: Path | None = None, *, encoding: str = UTF_8) -> Items:
    """Read a file of tokens, without punctuation (a column of its own) and tokens such as <laugh>.

    Columns are separated by `|` and named in the first line: at least token, and tags where there are alternatives.
    `alternatives` is JSON with the candidates, each a verbalization of words, by tag id; the tokens with that tag may
    be read as any of them or as written. Del Rio et al. (2021), Earnings-21: a practical benchmark for ASR in the wild.
    """
    lines = split_lines(read_text(path, encoding=encoding))
    if not lines:
        raise InputFileError(f"{path} is empty, expected a header such as token|speaker|ts.")
    header = lines[0].split("|")
    require_distinct_columns(header, f"{path}, line 1")
    for column in ("token", *(["tags"] if alternatives else [])):
        check_choice("column", column, header, where=f"{path}, line 1")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("|")
        if len(cells) != len(header):
            raise InputFileError(f"{path}, line {number}: {len(cells)} fields, the header has {len(header)}.")
        rows.append((number, dict(zip(header, cells, strict=True))))
    kept = [(number, row) for number, row in rows if row["token"] and not _EVENT.fullmatch(row["token"])]
    if alternatives is None:
        return _words([row["token"] for _, row in kept])
    candidates = _read_candidates(alternatives)
    items: list[Item] = []
    tagged = [(number, row["token"], _tag(row["tags"], f"{path}, line {number}")) for number, row in kept]
    for tag, run in groupby(tagged, key=lambda token: token[2]):
        tokens = list(run)
        words = _words([token for _, token, _ in tokens])
        if tag is None:
            items += words
        elif tag not in candidates:
            raise InputFileError(f"{path}, line {tokens[0][0]}: tag {tag!r} has no candidates in {alternatives}.")
        else:
            ways = tuple(dict.fromkeys([words, *candidates[tag]]))
            items += words if len(ways) == 1 else (Choice(ways),)
    return tuple(items)


def read_entities(path: Path, tags: Path | None = None, *, encoding: str = UTF_8) -> list[list[str]] | None:
    """Labels of the entities of every word of a file that `read_nlp` reads; None if it has no column of tags.

    They are those of the column tags or, with `tags` (JSON: {"ID": {"entity_type": LABEL}}), of the ids in wer_tags.
    """
    lines = split_lines(read_text(path, encoding=encoding))
    header = lines[0].split("|") if lines else []
    column = "wer_tags" if tags else "tags"
    if column not in header:
        return None
    types = _read_types(tags) if tags else {}
    found = []
    for number, line in enumerate(lines[1:], start=2):
        row = dict(zip(header, line.split("|"), strict=False))
        token = row.get("token", "")
        if not token or _EVENT.fullmatch(token):
            continue
        place = f"{path}, line {number}"
        listed = _list_tags(row[column], place)
        labels = [types.get(each, _UNLABELLED) if tags else each.partition(":")[2] or _UNLABELLED for each in listed]
        found += [list(dict.fromkeys(labels))] * len(token.split())
    return found


def _list_tags(text: str, place: str) -> list[str]:
    if text in ("[]", ""):
        return []
    if not _TAGS.fullmatch(text):
        raise InputFileError(f"{place}: tags are {text!r}, expected a list such as ['0', '1'] or [].")
    return re.findall(r"'([^']*)'", text)


def _read_types(path: Path) -> Mapping[str, str]:
    content = decode_json(read_text(path), path)
    try:
        return {tag: str(entry["entity_type"]) for tag, entry in content.items()}
    except (AttributeError, KeyError, TypeError):
        raise InputFileError(f'{path}: expected {{"ID": {{"entity_type": "LABEL"}}, ...}}.') from None


def _words(tokens: Sequence[str]) -> Items:
    return tuple(Word(word) for token in tokens for word in token.split())


def _tag(text: str, place: str) -> str | None:
    if text in ("[]", ""):
        return None
    match = _TAG.fullmatch(text)
    if match is None:
        raise InputFileError(f"{place}: tags are {text!r}, expected ['ID:CLASS'] or [].")
    return match["id"]


def _read_candidates(path: Path) -> Mapping[str, list[Items]]:
    found = {}
    content = decode_json(read_text(path), path)
    try:
        for tag, entry in content.items():
            found[tag] = [_words(_texts(candidate["verbalization"])) for candidate in entry["candidates"]]
    except (AttributeError, KeyError, TypeError):
        raise InputFileError(
            f'{path}: expected {{"ID": {{"candidates": [{{"verbalization": ["word", ...]}}, ...]}}, ...}}.'
        ) from None
    return found


def _texts(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise TypeError
    return value
