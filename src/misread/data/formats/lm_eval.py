"""Samples of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, and `results_DATE.json` in the same folder.

Source: EleutherAI, lm-evaluation-harness 0.4, `EvaluationTracker`: a line for each document and filter.
"""

import json
import math
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from misread.data.formats.account import Account, silent
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.log import Log, LogEntry, read_record
from misread.data.formats.tables import has_object_lines
from misread.errors import InputFileError
from misread.io.json_files import decode_json
from misread.io.text import UTF_8, read_text, split_lines
from misread.text.nouns import count_of

_SAMPLES: Final = "samples_"
_TEXT: Final = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""")
_LIST: Final = re.compile(rf"\[(?:{_TEXT.pattern})(?:, (?:{_TEXT.pattern}))*\]")
# Fields that are no metric, for samples of versions that do not list their metrics.
_NO_METRICS: Final = frozenset({"doc_id", "filter", "schema"})
_NO_TEXT: Final = {
    **silent("doc doc_id doc_hash prompt_hash target_hash arguments filter metrics schema"),
    "target": "targets after the first",
    "resps": "answers after the first, and likelihoods",
    "filtered_resps": "answers after filters",
}


@dataclass(frozen=True)
class _Sample:
    doc_id: int | str
    target: Any
    resps: list[Any]
    doc: Any = None
    filter: str = ""
    metrics: list[str] | None = None


@dataclass(frozen=True)
class _Results:
    model_name: str | None = None
    higher_is_better: dict[str, dict[str, Any]] = field(default_factory=dict)  # by task and metric


def read_lm_eval(path: Path, *, encoding: str = UTF_8) -> Log:
    """Read the documents of a task; scores of several filters are called METRIC,FILTER, as in the file of results.

    The model is called as that file says, or as the folder. Raises InputFileError if a line is broken, or a document
    occurs twice for one filter; names file and line.
    """
    samples: dict[tuple[str, str], tuple[int, _Sample, dict[str, Any]]] = {}
    for number, line in enumerate(split_lines(read_text(path, encoding=encoding)), start=1):
        if not line.strip():
            continue
        location = f"{path}, line {number}"
        row = decode_json(line, path, line=number, with_nan=True)
        sample = read_record(row, _Sample, location)
        before = samples.setdefault((str(sample.doc_id), sample.filter), (number, sample, row))[0]
        if before != number:
            filtered = f" for the filter {sample.filter!r}" if sample.filter else ""
            raise InputFileError(f"{location}: document {sample.doc_id!r} is on line {before} already{filtered}.")
    if not samples:
        raise InputFileError(f"{path} has no sample.")
    filters = list(dict.fromkeys(chosen for _, chosen in samples))
    entries: dict[str, LogEntry] = {}
    for (document, chosen), (number, sample, row) in samples.items():
        names = {name: f"{name},{chosen}" if len(filters) > 1 else name for name in _list_metrics(sample, row)}
        scores = {shown: _read_score(row.get(name)) for name, shown in names.items()}
        entries[document] = LogEntry(
            f"{path}, line {number}",
            document,
            "1",
            _list_targets(sample.target)[0],
            _read_answer(sample.resps),
            {**entries[document].scores, **scores} if document in entries else scores,
            sample.doc if isinstance(sample.doc, dict) else {},
        )
    texts = (f"{entry.reference}{entry.text or ''}" for entry in entries.values())
    Account(LM_EVAL.label, path).add_json([row for _, _, row in samples.values()], texts, _NO_TEXT)
    task = path.stem.removeprefix(_SAMPLES).rpartition("_")[0] or path.stem
    results = _find_results(path)
    lower = {name for name, better in results.higher_is_better.get(task, {}).items() if better is False}
    return Log(
        source=str(path),
        task=task,
        model=results.model_name or path.resolve().parent.name,
        entries=list(entries.values()),
        lower_is_better=frozenset(
            name for entry in entries.values() for name in entry.scores if name.partition(",")[0] in lower
        ),
        notes=[
            f"{path.name}: {note}"
            for note in _find_notes([sample for _, sample, _ in samples.values() if sample.filter == filters[0]])
        ],
    )


def _find_notes(samples: Sequence[_Sample]) -> Iterator[str]:
    """How many documents have several answers or targets."""
    answers = sum(_has_several_answers(sample) for sample in samples)
    targets = sum(len(_list_targets(sample.target)) > 1 for sample in samples)
    for number, several, used_as in ((answers, "answers", "text"), (targets, "targets", "reference")):
        if number:
            have = f"{count_of(number, 'document')} {'has' if number == 1 else 'have'}"
            yield f"{have} several {several}; the first one is the {used_as}."


def _list_metrics(sample: _Sample, row: Mapping[str, Any]) -> list[str]:
    if sample.metrics is not None:
        return sample.metrics
    return [name for name, value in row.items() if isinstance(value, int | float) and name not in _NO_METRICS]


def _read_score(value: Any) -> Any:
    """A number; None for NaN; else the value itself, such as the parts of a perplexity."""
    if isinstance(value, bool):
        return float(value)
    return None if isinstance(value, float) and math.isnan(value) else value


def _has_several_answers(sample: _Sample) -> bool:
    return len(sample.resps) == 1 and isinstance(sample.resps[0], list) and len(sample.resps[0]) > 1


def _list_targets(target: Any) -> list[str]:
    """Targets of a document: the harness writes a list of several as Python shows it, `['a', 'b']`."""
    if isinstance(target, str) and _LIST.fullmatch(target):
        try:
            return [str(literal_eval(text)) for text in _TEXT.findall(target)]
        except (SyntaxError, ValueError):
            return [target]
    return [*map(str, target)] if isinstance(target, list) and target else [str(target)]


def _read_answer(responses: Sequence[Any]) -> str | None:
    """Output of the model; of choices the number of the likeliest, as the target has it; else the response as JSON."""
    firsts = [response[0] if isinstance(response, list) and response else response for response in responses]
    if not firsts:
        return None
    if len(firsts) == 1:
        return firsts[0] if isinstance(firsts[0], str) else json.dumps(firsts[0])
    try:
        likelihoods = [float(first[0]) for first in firsts]
    except (TypeError, ValueError, LookupError):
        return json.dumps(firsts)
    # As the harness takes it: the first NaN, if any likelihood is NaN.
    return str(np.argmax(likelihoods))


def _find_results(path: Path) -> _Results:
    """Results of samples: the file of the same date next to them, else none."""
    results = path.with_name(f"results_{path.stem.rpartition('_')[2]}.json")
    if not results.is_file():
        return _Results()
    return read_record(decode_json(read_text(results), results, with_nan=True), _Results, str(results))


def is_lm_eval(content: Content) -> bool:
    """Whether lines are JSON objects and the first has a document and responses."""
    return '"doc_id"' in content.first and '"resps"' in content.first and has_object_lines(content)


LM_EVAL = Format(
    name="lm_eval",
    label="samples of lm-evaluation-harness",
    kind="log",
    paired_by="id",
    help="samples of lm-evaluation-harness (samples_*.jsonl) with targets, answers and scores, by `doc_id`; the system "
    "is the model that the results in the same folder name",
    recognise=is_lm_eval,
    read=read_lm_eval,
)
