"""Logs of other frames as a table of segments: every model a system, every epoch a run, scores as annotations."""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, ClassVar, Final

from misread.data.base import recorded_below
from misread.data.formats import FORMATS, find_format
from misread.data.formats.account import collect_sentences, collecting_accounts
from misread.data.formats.base import Format
from misread.data.formats.log import Log
from misread.data.formats.recognition import guess_format
from misread.data.formats.tables import Rows
from misread.data.run_columns import name_run, record_runs
from misread.data.segment_table import EFFORT, SegmentTable
from misread.data.table import table_of_rows
from misread.data.table_columns import TableColumns
from misread.errors import ConfigurationError, InputFileError, UnknownNameError, setting
from misread.io.json_files import is_number
from misread.io.pointers import absence
from misread.io.text import UTF_8

SCORES: Final = "scores"
"""Annotation of hypotheses: the scores that another frame gave, by scorer."""

MOST_DIGITS: Final = 12
"""Decimals of a score that are kept at most: means are exact to them."""

_MOST_SUM: Final = 2**63 // 16
"""Of scaled scores; runs of two systems may multiply them, and they are counted in 64 bits."""

_ID, _MODEL, _EPOCH, _TARGET, _ANSWER, _LOCATION = "id", "model", "epoch", "target", "answer", "location"
_LABEL: Final = "metadata."


class _Samples(Rows):
    """Samples of all logs; a row is called by its own file."""

    unit: ClassVar[str] = "sample"

    def location(self, row: int) -> str:
        """File and sample, for messages."""
        return str(self.columns[_LOCATION][row])

    def line(self, row: int) -> str:
        """The same, since rows come from several files."""
        return self.location(row)

    def cell(self, row: int, column: str) -> str:
        """Place of a value, for messages."""
        return f"{self.location(row)}: {column}"


def fit_digits(scores: Iterable[float]) -> int:
    """Decimals of scores that can be kept so that their sum, in units of the last, can be counted."""
    total = math.fsum(map(abs, scores))
    return min(MOST_DIGITS, math.floor(math.log10(_MOST_SUM / max(total, 1))))


@dataclass(frozen=True)
class Logs:
    """Data set of logs of other frameworks: samples are segments, epochs are runs, and recorded scores are kept.

    Parameters
    ----------
    root : str
        Folder of the data set.
    recorded : mapping of str to str
        Logs, relative to `root`, by the name of their outputs. Those of a run are recorded as `NAME.1`, `NAME.2` and so
        on: a system takes them as `name: NAME.{run}`.
    cluster : str, optional
        Key of the metadata; samples with one value of it (page, book, speaker) are not independent.
    groups : list of str
        Keys of the metadata by which results are broken down.
    provenance : str
        Source of the data and its licence.
    """

    root: str
    recorded: Mapping[str, str]
    cluster: str = ""
    groups: Sequence[str] = ()
    provenance: str = ""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name_run(name, '1')}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all logs, as `join_logs` does; a text is missing where a log has none for a sample or epoch."""
        paths = recorded_below(Path(self.root), self.recorded)
        logs = {name: read_log(path) for name, path in paths.items()}
        table = join_logs(logs, cluster=self.cluster, groups=self.groups)
        return record_runs(table, " and ".join(log.source for log in logs.values()))


def read_log(path: str | os.PathLike[str], form: str | Format | None = None, *, encoding: str = UTF_8) -> Log:
    """Read one log, of "inspect" or "lm_eval", by default as its content says.

    Raises InputFileError, with file and sample, if it is broken or no log.
    """
    if not Path(path).is_file():
        raise InputFileError(f"{absence(Path(path))}.")
    chosen = guess_format(Path(path), kinds=["log"]) if form is None else find_format(form, kinds=["log"])
    if chosen is None:
        known = " nor ".join(known.label for known in FORMATS.values() if known.kind == "log")
        raise InputFileError(f"{path} is neither {known}.")
    if chosen.read is None:
        raise ConfigurationError(f"files of the format {form} are not read.")
    with collecting_accounts() as accounts:
        log: Log = chosen.read(Path(path), encoding=encoding)
    doubts, notes, remarks = collect_sentences(accounts)
    return replace(log, doubts=doubts, notes=[*log.notes, *notes], remarks=remarks)


def join_logs(logs: Mapping[str, Log], *, cluster: str = "", groups: Sequence[str] = ()) -> SegmentTable:
    """One row per sample of logs by the name of their system; `cluster` and `groups` are keys of the metadata.

    A sample that a system or one of its runs lacks is a missing hypothesis. Raises InputFileError, with file and
    sample, if one occurs twice in a run, or has another target or other metadata in another log.
    """
    entries = [(system, entry) for system, log in logs.items() for entry in log.entries]
    labels = list(dict.fromkeys([*([cluster] if cluster else []), *groups]))
    columns: dict[str, list[Any]] = {
        _MODEL: [system for system, _ in entries],
        _LOCATION: [entry.location for _, entry in entries],
        _ID: [entry.segment_id for _, entry in entries],
        _EPOCH: [entry.run for _, entry in entries],
        _TARGET: [entry.reference for _, entry in entries],
        _ANSWER: [entry.text for _, entry in entries],
        SCORES: [dict(entry.scores) for _, entry in entries],
        **{name: [entry.effort.get(name) for _, entry in entries] for name in EFFORT},
        **{f"{_LABEL}{name}": [_take_label(entry, name) for _, entry in entries] for name in labels},
    }
    measured = [name for name in EFFORT if any(value is not None for value in columns[name])]
    tasks = list(dict.fromkeys(log.task for log in logs.values()))
    described = TableColumns(
        reference=_TARGET,
        segment_id=[_ID],
        cluster=f"{_LABEL}{cluster}" if cluster else "",
        groups=[f"{_LABEL}{name}" for name in groups],
        system=_MODEL,
        hypothesis=_ANSWER,
        run=_EPOCH,
        measured={name: name for name in measured},
    )
    table = table_of_rows(
        _Samples("the logs", columns, range(1, len(entries) + 1)),
        described,
        name=tasks[0],
        cluster_name=cluster,
        group_names=groups,
        annotated=[SCORES],
    )
    notes = [note for log in logs.values() for note in log.notes]
    if len(tasks) > 1:
        notes.append(f"the logs are of different tasks: {', '.join(tasks)}.")
    doubts = (doubt for log in logs.values() for doubt in log.doubts)
    facts = table.facts.with_notes(*notes).with_doubts(*doubts)
    return replace(table, facts=replace(facts, remarks=[note for log in logs.values() for note in log.remarks]))


def name_logs(logs: Sequence[Log], names: Sequence[str]) -> dict[str, Log]:
    """Logs by the names of their systems; an empty name is that of the model, which then has to be of one log alone."""
    log_of: dict[str, Log] = {}
    for log, name in zip(logs, names, strict=True):
        system = name or log.model
        if system in log_of:
            raise ConfigurationError(
                f"{log_of[system].source} and {log.source} are both of the model {system!r}; name their systems: "
                f"{setting('hyp', 'NAME=FILE')}."
            )
        log_of[system] = log
    return log_of


def find_scores(logs: Mapping[str, Log]) -> dict[str, dict[str, str | int]]:
    """Settings of the metric `recorded`, with the scorer, that fit the numbers of each scorer whom all logs have."""
    settings: dict[str, dict[str, str | int]] = {}
    scored_by: dict[str, list[Any]] = {name: [] for name in _scorers_of_all(logs)}
    for scorer, value in chain.from_iterable(entry.scores.items() for log in logs.values() for entry in log.entries):
        if scorer in scored_by and value is not None:
            scored_by[scorer].append(value)
    for scorer, scored in scored_by.items():
        if not all(map(is_number, scored)):
            continue
        digits, is_lower_better = fit_digits(scored), any(scorer in log.lower_is_better for log in logs.values())
        settings[scorer] = {
            "scorer": scorer,
            **({} if all(0 <= value <= 1 for value in scored) else {"values": "number"}),
            **({"digits": max(digits, 0)} if digits < MOST_DIGITS else {}),
            **({"better": "lower"} if is_lower_better else {}),
        }
    return settings


def find_score(logs: Mapping[str, Log]) -> dict[str, str | int]:
    """Those of the one scorer that there is.

    Raises ConfigurationError, with the choices, if there are several, and InputFileError if there is none.
    """
    scores = find_scores(logs)
    sources = " and ".join(log.source for log in logs.values())
    if not scores:
        if odd := _find_odd_score(logs):
            raise InputFileError(f"{odd}, expected a number; {setting('metrics', 'cer')} scores the texts.")
        listed = "; ".join(f"{log.source} has {', '.join(log.scorers) or 'none'}" for log in logs.values())
        raise InputFileError(
            f"{sources}: no scorer gave numbers in all of them ({listed}); {setting('metrics')} scores the texts, as "
            "with cer."
        )
    if len(scores) > 1:
        first = f'"{next(iter(scores))}"' if "," in next(iter(scores)) else next(iter(scores))
        example = setting("metrics", f"'recorded(scorer={first})'")
        raise ConfigurationError(
            f"{sources}: scores of several kinds, {'; '.join(scores)}. Name what counts: {example}, several joined by "
            "commas, or cer for the texts."
        )
    return next(iter(scores.values()))


def _scorers_of_all(logs: Mapping[str, Log]) -> list[str]:
    first, *others = (log.scorers for log in logs.values())
    shared = set(first).intersection(*others)
    return [scorer for scorer in first if scorer in shared]


def _find_odd_score(logs: Mapping[str, Log]) -> str:
    """The first score that is no number, with its sample; empty if there is none by a scorer whom all logs have."""
    shared = set(_scorers_of_all(logs))
    for entry in chain.from_iterable(log.entries for log in logs.values()):
        for scorer, value in entry.scores.items():
            if scorer in shared and value is not None and not is_number(value):
                return f"{entry.location}: {scorer} gave {shortened(value)}"
    return ""


def _take_label(entry: Any, name: str) -> Any:
    if name not in entry.labels:
        raise UnknownNameError("key", name, map(str, entry.labels), where=f"the metadata of {entry.location}")
    return entry.labels[name]
