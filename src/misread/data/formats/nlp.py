"""Transcripts with one token per line, as in Rev's corpora, and their alternative wordings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.marked_text import in_one_notation
from misread.data.formats.paired_files import DEFAULT, FolderOptions, pair_folders
from misread.data.formats.tables import require_distinct_columns
from misread.data.formats.timed_text import TimedText
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputFileError
from misread.io.checks.choices import check_choice
from misread.io.json_files import decode_json
from misread.io.text import UTF_8, read_text, split_lines
from misread.text.alternatives import Choice, Item, Items, Word, list_words

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
    account = Account(NLP.label, path)
    header, spoken = _read_tokens(path, ["token", *(["tags"] if alternatives else [])], encoding, account)
    if alternatives is None:
        return _words([token for _, token, _ in spoken])
    candidates = _read_candidates(alternatives)
    items: list[Item] = []
    at = header.index("tags")
    tagged = [(number, token, _tag(cells[at], f"{path}, line {number}")) for number, token, cells in spoken]
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
    header, spoken = _read_tokens(path, ["token"], encoding, Account(NLP.label))
    column = "wer_tags" if tags else "tags"
    if column not in header:
        return None
    types = _read_types(tags) if tags else {}
    entities = []
    at = header.index(column)
    for number, token, cells in spoken:
        listed = _list_tags(cells[at], f"{path}, line {number}")
        labels = [types.get(tag, _UNLABELLED) if tags else tag.partition(":")[2] or _UNLABELLED for tag in listed]
        entities += [list(dict.fromkeys(labels))] * len(token.split())
    return entities


def _read_tokens(
    path: Path, columns: Sequence[str], encoding: str, account: Account
) -> tuple[list[str], list[tuple[int, str, list[str]]]]:
    """Header, which must have these columns, and of every word its line in the file, its token and all its cells."""
    lines = split_lines(read_text(path, encoding=encoding))
    if not lines:
        raise InputFileError(f"{path} is empty, expected a header such as token|speaker|ts.")
    header = lines[0].split("|")
    require_distinct_columns(header, f"{path}, line 1")
    for column in columns:
        check_choice("column", column, header, where=f"{path}, line 1")
    spoken = []
    at = header.index("token")
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("|")
        if len(cells) != len(header):
            raise InputFileError(f"{path}, line {number}: {len(cells)} fields, the header has {len(header)}.")
        if _EVENT.fullmatch(cells[at]):
            account.leave_out("events", cells[at], number)
        elif cells[at]:
            spoken.append((number, cells[at], cells))
        if "punctuation" in header and (mark := cells[header.index("punctuation")]):
            account.leave_out("marks in the column of punctuation", mark, number)
    return header, spoken


def _list_tags(text: str, location: str) -> list[str]:
    if text in ("[]", ""):
        return []
    if not _TAGS.fullmatch(text):
        raise InputFileError(f"{location}: tags are {text!r}, expected a list such as ['0', '1'] or [].")
    return re.findall(r"'([^']*)'", text)


def _read_types(path: Path) -> Mapping[str, str]:
    content = decode_json(read_text(path), path)
    try:
        return {tag: str(entry["entity_type"]) for tag, entry in content.items()}
    except (AttributeError, KeyError, TypeError):
        raise InputFileError(f'{path}: expected {{"ID": {{"entity_type": "LABEL"}}, ...}}.') from None


def _words(tokens: Sequence[str]) -> Items:
    return tuple(Word(word) for token in tokens for word in token.split())


def _tag(text: str, location: str) -> str | None:
    if text in ("[]", ""):
        return None
    match = _TAG.fullmatch(text)
    if match is None:
        raise InputFileError(f"{location}: tags are {text!r}, expected ['ID:CLASS'] or [].")
    return match["id"]


def _read_candidates(path: Path) -> Mapping[str, list[Items]]:
    candidates = {}
    content = decode_json(read_text(path), path)
    try:
        for tag, entry in content.items():
            candidates[tag] = [_words(_texts(candidate["verbalization"])) for candidate in entry["candidates"]]
    except (AttributeError, KeyError, TypeError):
        raise InputFileError(
            f'{path}: expected {{"ID": {{"candidates": [{{"verbalization": ["word", ...]}}, ...]}}, ...}}.'
        ) from None
    return candidates


def _texts(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise TypeError
    return value


def has_tokens(content: Content) -> bool:
    """Whether there is a header with a token in it, and rows of as many cells."""
    columns = content.first.split("|")
    if "token" not in columns or len(columns) < 2 or len(content.entries) < 2:
        return False
    return all(line.count("|") == len(columns) - 1 for line in content.entries)


@dataclass(frozen=True, kw_only=True)
class NlpSettings:
    """Settings of NLP: folders of other readings of the references, or of the labels of all their entities."""

    alternatives: str = ""
    entities: str = ""

    def __post_init__(self) -> None:
        if self.alternatives and self.entities:
            raise ConfigurationError("the settings alternatives and entities of nlp do not go together; choose one.")


def read_nlp_files(
    reference: Path,
    hypotheses: Mapping[str, Path],
    options: FolderOptions = DEFAULT,
    *,
    alternatives: str = "",
    entities: str = "",
    encoding: str = UTF_8,
) -> SegmentTable:
    """Read files of tokens, or folders of them paired by path or stem, by system; a file is a segment.

    A file that a folder lacks is a missing hypothesis; folders may have other files than `*.nlp`. `alternatives` is a
    folder of STEM.norm.json with alternative wordings of the references. Without these, labels of entities are an
    annotation of the references; `entities` is a folder of STEM.wer_tag.json with those of all ids.
    """
    pairs = None
    segments, paths = [reference.stem], [reference]
    files: Mapping[str, Sequence[Path | None]] = {system: [path] for system, path in hypotheses.items()}
    if reference.is_dir() or any(path.is_dir() for path in hypotheses.values()):
        pairs = pair_folders(reference, hypotheses, replace(options, patterns=options.patterns or ("*.nlp",)))
        segments, paths, files = list(pairs.segment_id), list(pairs.references), pairs.hypotheses
    candidates = [_find_candidates(segment, alternatives) for segment in segments]
    table = in_one_notation(
        reference.stem,
        segments,
        [read_nlp(path, candidate, encoding=encoding) for path, candidate in zip(paths, candidates, strict=True)],
        {
            system: [None if path is None else read_nlp(path, encoding=encoding) for path in outputs]
            for system, outputs in files.items()
        },
    )
    if not alternatives:
        table = replace(table, annotations=_entities(segments, paths, entities, encoding))
    return pairs.describe(table) if pairs else table


def read_nlp_segments(
    path: Path,
    *,
    alternatives: str = "",
    entities: str = "",  # noqa: ARG001 - labels, which are no text
    encoding: str = UTF_8,
) -> list[TimedText]:
    """Read a file of tokens as the one segment of a recording."""
    items = read_nlp(path, _find_candidates(path.stem, alternatives), encoding=encoding)
    choices = items if any(isinstance(item, Choice) for item in items) else ()
    return [TimedText(" ".join(list_words(items)), str(path), path.stem, path.stem, items=choices)]


def _find_candidates(segment: str, folder: str) -> Path | None:
    return Path(folder, f"{segment}.norm.json") if folder else None


def _entities(
    segments: Sequence[str], paths: Sequence[Path], folder: str, encoding: str
) -> dict[str, list[list[list[str]] | None]]:
    tags = [Path(folder, f"{segment}.wer_tag.json") if folder else None for segment in segments]
    labels = [read_entities(path, tag_file, encoding=encoding) for path, tag_file in zip(paths, tags, strict=True)]
    return {"entities": labels} if any(labels) else {}


NLP = Format(
    name="nlp",
    label="NLP",
    kind="segments",
    paired_by="file",
    help="Rev's tokens, one per line, with other readings in `.norm.json`",
    endings=frozenset({".nlp"}),
    settings=NlpSettings(),
    folders=frozenset({"alternatives", "entities"}),
    takes=frozenset({"options"}),
    recognise=has_tokens,
    read=read_nlp_segments,
    pair=read_nlp_files,
)
