"""Samples of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, and beside it `results_DATE.json`.

Source: EleutherAI, lm-evaluation-harness 0.4, `EvaluationTracker`: a line for each document and filter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from misread.data.formats.base import Format
from misread.data.formats.log import Log, LogEntry, decode_entry, is_number
from misread.data.formats.tables import has_objects
from misread.data.formats.timed_text import take
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text, split_lines

if TYPE_CHECKING:
    from misread.data.formats.recognition import Content

_EXPECTED: Final = "doc_id, doc, target, resps and metrics"
_SAMPLES: Final = "samples_"
# Of samples of versions that do not list their metrics, what is none.
_NO_METRICS: Final = frozenset({"doc_id", "filter", "schema"})


def read_lm_eval(path: Path, *, encoding: str = UTF_8) -> Log:
    """Read the documents of a task; scores of several filters are called METRIC,FILTER, as in the file of results.

    The model is called as that file says, or as the folder. Raises InputFileError if a line is broken, or a document
    occurs twice for one filter; names file and line.
    """
    rows: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
    for number, line in enumerate(split_lines(read_text(path, encoding=encoding)), start=1):
        if not line.strip():
            continue
        location = f"{path}, line {number}"
        row = decode_entry(line, location)
        document = str(take(row, "doc_id", int | str, location, expected=_EXPECTED))  # type: ignore[arg-type]
        chosen = str(row.get("filter", ""))
        before, _ = rows.setdefault((document, chosen), (number, row))
        if before != number:
            filtered = f" for the filter {chosen!r}" if chosen else ""
            raise InputFileError(f"{location}: document {document!r} is on line {before} already{filtered}.")
    if not rows:
        raise InputFileError(f"{path} has no sample.")
    filters = list(dict.fromkeys(chosen for _, chosen in rows))
    entries: dict[str, LogEntry] = {}
    for (document, chosen), (number, row) in rows.items():
        location = f"{path}, line {number}"
        names = {name: f"{name},{chosen}" if len(filters) > 1 else name for name in _list_metrics(row)}
        scores = {shown: _read_score(row.get(name)) for name, shown in names.items()}
        if document in entries:
            scores = {**entries[document].scores, **scores}
        labels = row["doc"] if isinstance(row.get("doc"), dict) else {}
        target = str(take(row, "target", object, location, expected=_EXPECTED))
        text = _read_answer(take(row, "resps", list, location, expected=_EXPECTED))
        entries[document] = LogEntry(location, document, "1", target, text, scores, labels)
    several = sum(_has_several_answers(row) for _, row in rows.values() if row.get("filter", "") == filters[0])
    results = _find_results(path)
    task = path.stem.removeprefix(_SAMPLES).rpartition("_")[0] or path.stem
    higher = results.get("higher_is_better", {})
    lower = {metric for metric, better in (higher.get(task) or {}).items() if better is False}
    return Log(
        source=str(path),
        task=task,
        model=str(results.get("model_name") or path.resolve().parent.name),
        entries=list(entries.values()),
        lower_is_better=frozenset(
            name for entry in entries.values() for name in entry.scores if name.partition(",")[0] in lower
        ),
        notes=[f"{path.name}: {several:,} documents have several answers, of which the first is the text."]
        if several
        else [],
    )


def _list_metrics(row: Mapping[str, Any]) -> list[str]:
    if isinstance(row.get("metrics"), list):
        return [str(name) for name in row["metrics"]]
    return [name for name, value in row.items() if isinstance(value, int | float) and name not in _NO_METRICS]


def _read_score(value: Any) -> Any:
    """A number; None for NaN; else the value itself, such as the parts of a perplexity."""
    if isinstance(value, bool):
        return float(value)
    return value if is_number(value) or not isinstance(value, float) else None


def _has_several_answers(row: Mapping[str, Any]) -> bool:
    responses = row["resps"]
    return len(responses) == 1 and isinstance(responses[0], list) and len(responses[0]) > 1


def _read_answer(responses: Sequence[Any]) -> str | None:
    """What the model wrote; of choices the number of the likeliest, as the target has it; else the response as JSON."""
    firsts = [response[0] if isinstance(response, list) and response else response for response in responses]
    if not firsts:
        return None
    if len(firsts) == 1:
        return firsts[0] if isinstance(firsts[0], str) else json.dumps(firsts[0])
    try:
        likelihoods = [float(first[0]) for first in firsts]
    except (TypeError, ValueError, IndexError):
        return json.dumps(firsts)
    return str(likelihoods.index(max(likelihoods)))


def _find_results(path: Path) -> dict[str, Any]:
    """Results beside samples: those of the same date, else none."""
    date = path.stem.rpartition("_")[2]
    results = path.with_name(f"results_{date}.json")
    return decode_entry(read_text(results), str(results)) if results.is_file() else {}


def is_lm_eval(content: Content) -> bool:
    """Whether lines are JSON objects, of which the first has a document and responses."""
    return '"doc_id"' in content.first and '"resps"' in content.first and has_objects(content)


LM_EVAL = Format(
    name="lm_eval",
    label="samples of lm-evaluation-harness",
    kind="log",
    paired_by="id",
    help="samples of lm-evaluation-harness (samples_*.jsonl) with targets, answers and scores, by `doc_id`; the system "
    "is the model that the results beside them name",
    recognise=is_lm_eval,
    read=read_lm_eval,
)
