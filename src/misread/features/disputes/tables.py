"""Spans as tables that a person fills, and filled tables as the truth of every span."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from misread.data.formats.tables import read_rows
from misread.errors import InputFileError, OutputFileError, UnknownNameError, setting
from misread.features.disputes.draw import Draw
from misread.features.disputes.spans import DisputedSpans, Span
from misread.io.checks.choices import check_choice
from misread.io.json_files import decode_lines, write_text
from misread.io.layouts import check_layout
from misread.io.text import read_text
from misread.tables.render.csv import write_rows
from misread.text.display import guard_formula, show_in_spreadsheet
from misread.text.nouns import count_of

UNREADABLE: Final = "unreadable"
NOTHING: Final = "nothing"
"""Values of the column `mark` for an illegible span, and for one without text: a span without both is open."""

_MARKS: Final[Mapping[str, str | None]] = {UNREADABLE: None, NOTHING: ""}
_SHORT: Final = {"[?]": UNREADABLE, "[]": NOTHING}
"""Marks to type into the column `truth`, unless a system has read just that."""

_COMMAND: Final = "misread dispute"
_FACTS: Final = "made_with"
_DRAWN: Final = ("context", "budget", "seed", "units")


@dataclass(frozen=True, kw_only=True)
class Filled:
    """Entries of one person, by the key of the span.

    `truths` are the texts, None where the span cannot be read. A span that has neither is open.
    """

    name: str
    truths: Mapping[str, str | None]


def write_table(disputes: DisputedSpans, path: Path) -> None:
    """Write spans with an empty `truth`, as CSV or JSON Lines by the name.

    Raises UnknownNameError for another ending, and OutputFileError rather than overwrite what somebody has typed.
    """
    writers = {".csv": _separated, ".jsonl": _lines}
    if path.suffix not in writers:
        raise UnknownNameError("table format", path.suffix or path.name, writers, where=str(path))
    if path.is_file():
        _refuse_typed(path)
    write_text(path, writers[path.suffix](disputes))


def _refuse_typed(path: Path) -> None:
    """Refuse a file that is there, unless it has these columns and nobody has typed into them."""
    try:
        typed = sum(bool(row.mark or row.truth.strip()) for row in _read(path)[1])
    except InputFileError:
        raise OutputFileError(
            f"{path} is there, and is no table of spans that is known to be empty; name another file, or delete it."
        ) from None
    if typed:
        raise OutputFileError(
            f"{path} has the truth of {count_of(typed, 'span')} already; name another file, or delete it."
        )


def _lines(disputes: DisputedSpans) -> str:
    """A line that says how the spans were made, and one for each of them."""
    rows: list[Mapping[str, Any]] = [{"kind": "disputes", **disputes.facts}]
    for number, span in enumerate(disputes.spans, start=1):
        places = {"page": span.page, "box": list(span.box), "seconds": list(span.seconds)}
        rows.append(
            {
                "span": number,
                "segment": span.segment_id,
                **({"cluster": span.cluster} if disputes.keys.cluster is not None else {}),
                **{name: value for name, value in places.items() if value},
                "before": span.before,
                "readings": list(span.readings),
                "after": span.after,
                "truth": None,
                "mark": None,
                "key": span.key,
            }
        )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _separated(disputes: DisputedSpans) -> str:
    """One row a span, with a column for each reading; columns that no span has a value for are left out."""
    spans = disputes.spans
    places = {
        "cluster": [span.cluster for span in spans],
        "page": [span.page for span in spans],
        "box": [" ".join(map(str, span.box)) for span in spans],
        "seconds": [" ".join(f"{end:g}" for end in span.seconds) for span in spans],
    }
    most = max(len(span.readings) for span in spans)
    readings = zip(*([*show_readings(span), *[""] * (most - len(span.readings))] for span in spans), strict=True)
    columns: dict[str, Sequence[str]] = {
        "span": [str(number) for number in range(1, len(spans) + 1)],
        "segment": [show_in_spreadsheet(span.segment_id) for span in spans],
        **{name: [*map(show_in_spreadsheet, column)] for name, column in places.items() if any(column)},
        "before": [show_in_spreadsheet(span.before) for span in spans],
        **{f"reading_{number}": column for number, column in enumerate(readings, start=1)},
        "after": [show_in_spreadsheet(span.after) for span in spans],
        "truth": [""] * len(spans),
        "mark": [""] * len(spans),
        "key": [span.key for span in spans],
        _FACTS: [write_facts(disputes)] * len(spans),
    }
    return write_rows([*columns], zip(*columns.values(), strict=True), raw=True)


def show_readings(span: Span) -> list[str]:
    """Readings as cells of a spreadsheet, no two alike: where two would be, backslashes of the texts are doubled."""
    cells = [*map(show_in_spreadsheet, span.readings)]
    if len({*cells}) == len(cells):
        return cells
    return [show_in_spreadsheet(reading.replace("\\", r"\\")) for reading in span.readings]


def write_facts(disputes: DisputedSpans) -> str:
    """How spans were made, in one cell."""
    return ";".join(f"{name}={'' if value is None else value}" for name, value in disputes.facts.items())


def read_draw(path: Path) -> Draw:
    """How the spans of a filled file were drawn; raises InputFileError if it does not say so."""
    facts = _read(path)[0]
    try:
        numbers: dict[str, Any] = {
            name: int(facts[name]) for name in _DRAWN if facts.get(name) or name not in ("budget", "units")
        }
    except (KeyError, ValueError):
        raise InputFileError(
            f"{path} does not say how its spans were made; fill a file that `{_COMMAND}` has written."
        ) from None
    return Draw(**numbers)


def read_filled(path: Path, disputes: DisputedSpans) -> Filled:
    """Read the truth of spans.

    Raises InputFileError if the file is not one of these spans: it was made of other texts, or has a span twice.
    """
    facts, rows = _read(path)
    spans = {span.key: span for span in disputes.spans}
    expected = {"units": ""} | {name: "" if value is None else str(value) for name, value in disputes.facts.items()}
    for name in ("systems", "normalizer", *_DRAWN, "texts", "clusters"):
        if facts.get(name, "") != expected[name]:
            unfit = [row.where for row in rows if row.key not in spans]
            raise InputFileError(f"{path}: {_differ(name, facts, expected)}; {_count_unfit(unfit, len(rows))}")
    truths: dict[str, str | None] = {}
    seen: dict[str, str] = {}
    for row in rows:
        span = spans.get(row.key)
        if span is None:
            raise InputFileError(f"{row.where}: key {row.key!r} is that of no span; leave the column key as it was.")
        if row.key in seen:
            raise InputFileError(
                f"{row.where}: the span of segment {span.segment_id!r} was there before ({seen[row.key]}); keep one of "
                "them."
            )
        seen[row.key] = row.where
        text = _take_cell(row.truth, span) if path.suffix != ".jsonl" else row.truth
        # What equals a reading is that reading, also if it is blank or looks like a mark.
        if text and text in span.readings and not row.mark:
            truths[row.key] = text
        elif mark := row.mark or _SHORT.get(text.strip()):
            truths[row.key] = _MARKS[mark]
        elif text.strip():
            truths[row.key] = text
    return Filled(name=str(path), truths=truths)


def _take_cell(cell: str, span: Span) -> str:
    """The text of a cell: a reading that was copied, or else what was typed, without the apostrophe before formulas."""
    copied = dict(zip(show_readings(span), span.readings, strict=True))
    if cell in copied or cell in span.readings:
        return copied.get(cell, cell)
    return cell[1:] if guard_formula(cell[1:]) == cell else cell


@dataclass(frozen=True, slots=True)
class _Row:
    """A span of a filled file: file and line, key, truth, and mark; both of these are empty where it is open."""

    where: str
    key: str
    truth: str
    mark: str

    def __post_init__(self) -> None:
        check_choice("mark", self.mark, ("", *_MARKS), where=self.where)
        if self.mark and self.truth.strip():
            raise InputFileError(f"{self.where}: truth is {self.truth!r} and mark {self.mark!r}; give one of them.")


def _read(path: Path) -> tuple[dict[str, str], list[_Row]]:
    """Facts of the file, and its rows."""
    if path.suffix == ".jsonl":
        (_, first), *lines = [*decode_lines(read_text(path), path)] or [(0, None)]
        if not isinstance(first, dict) or first.get("kind") != "disputes":
            raise InputFileError(
                f'{path}, line 1: expected {{"kind": "disputes", ...}}, as `{_COMMAND}` and its page write it.'
            )
        facts = {name: "" if value is None else str(value) for name, value in first.items()}
        rows = [_take(line, f"{path}, line {number}") for number, line in lines]
    else:
        table = read_rows(path)
        for column in ("key", "truth", _FACTS):
            if column not in table.columns:
                raise InputFileError(f"{path} has no column {column!r}; fill a table that `{_COMMAND}` has written.")
        facts = dict(part.partition("=")[::2] for part in (table.words(_FACTS)[0] or "").split(";"))
        marks = table.words("mark") if "mark" in table.columns else [None] * len(table.words("key"))
        rows = [
            _Row(table.location(row), key or "", truth or "", (mark or "").strip())
            for row, (key, truth, mark) in enumerate(zip(table.words("key"), table.words("truth"), marks, strict=True))
        ]
    layout = facts.get("format", "")
    check_layout(path, "disputes", int(layout) if layout.isdecimal() else layout, command=_COMMAND)
    return facts, rows


def _take(line: Any, where: str) -> _Row:
    if not isinstance(line, dict) or not isinstance(line.get("key"), str):
        raise InputFileError(f"{where}: expected an object with key and truth.")
    for name in ("truth", "mark"):
        if not isinstance(line.get(name), str | None):
            raise InputFileError(f"{where}: {name} is {line[name]!r}, expected a text, or null where it is open.")
    return _Row(where, line["key"], line.get("truth") or "", line.get("mark") or "")


def _differ(name: str, facts: Mapping[str, str], expected: Mapping[str, str]) -> str:
    """Facts that differ between a filled file and the texts."""
    if name == "texts":
        return "the texts are others than those that the spans were made of"
    if name == "clusters":
        return "the spans were drawn from other clusters than these"
    if name == "systems":
        return f"the spans are of {facts.get(name)} systems, and there are {expected[name]}"
    drawn, wanted = (setting(name, values.get(name) or "null") for values in (facts, expected))
    return f"the spans were made with {drawn}, and these are with {wanted}"


def _count_unfit(unfit: Sequence[str], number: int) -> str:
    """How many spans no longer fit, and what to do."""
    first = f" (the first: {unfit[0]})" if unfit else ""
    return (
        f"{len(unfit):,} of {count_of(number, 'span')} no longer fit{first}. Give the texts as they were, or run "
        f"`{_COMMAND}` again."
    )
