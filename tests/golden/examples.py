"""A small file of every kind that misread writes and reads again, with all that its layout may have."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.whole_tables import write_alignments, write_confusions, write_normalized, write_scores

from misread import dispute, evaluate
from misread.data.segment_table import Origin, SegmentKeys, SegmentTable, Source, TextFacts, Word
from misread.engines import Journal
from misread.engines.base import Reading
from misread.evaluation.evaluation import Evaluation
from misread.features.disputes.disputes import Disputes
from misread.features.disputes.tables import read_filled
from misread.features.judges.decision_files import Decision, Decisions, read_decisions, write_decisions
from misread.features.regimes.ablation import AblatedRate, AblationResult
from misread.features.regimes.schema import PairVerdict, RegimeScore, RegimesResult, SystemScore
from misread.io import read_record, write_record
from misread.metrics.confusion_table import Confusions, ConfusionTable
from misread.normalize import get_normalizer, normalize
from misread.pipeline.run_folder import read_run, write_run
from misread.provenance.signature import Signature
from misread.sockets import get_metrics
from misread.stats import read_comparison
from misread.stats.results import ConfidenceInterval
from misread.storage import (
    read_alignments,
    read_capture,
    read_confusions,
    read_counts,
    read_normalized,
    read_scores,
    read_segments,
    read_timings,
    write_capture,
    write_segments,
    write_timings,
)
from misread.storage.counts import CommittedCounts, render_counts
from misread.storage.signature_file import read_signature_file, write_signature_file
from misread.study.template import Record
from misread.tally import score
from misread.tally.alignments import SegmentAlignments
from misread.tally.step_changes import count_changes

REFERENCES = ["the quick fox", "jumps over", "one two"]
READ = {"a": ["the quich fox", None, "one two"], "b": ["the quick fox", "jumps ovr", "one two"]}
KEYS = SegmentKeys(["l1", "l2", "l3"], ["p1", "p1", "p2"], {"side": ["left", "right", None]})
ORIGIN = Origin("lines", "a", "0123", {"engine": "1.0"}, "page", signature="a|v:1", facts=TextFacts(notes=("A note.",)))
FACTS = {kind: {"id": rate, "errors": 1, "length": 8} for kind, rate in (("characters", "cer"), ("words", "wer"))}
SYSTEM = {"_target_": "misread.engines.Tesseract", "revision": 1, "versions": {"tesseract": "5"}}
SOURCE = Source("l1", question="Is it the same?")


@dataclass(frozen=True)
class Example:
    """How a file of one kind is written and read; `name` ends as such files do."""

    name: str
    write: Callable[[Path], object]
    read: Callable[[Path], object]


def _readings() -> list[Reading]:
    return [
        Reading(
            segment,
            text,
            None if text else "it is cut short",
            0.5,
            1000,
            run=run,
            attempts=2,
            raw="<p>" if text else None,
            confidence=0.75 if text else None,
            words=(Word("the", 0.5),) if text else None,
            warm_up=run == 1,
            start_up_seconds=0.25,
            first_byte_seconds=0.125,
            input_tokens=3,
            output_tokens=2,
            usd=0.25,
        )
        for run in (1, 2)
        for segment, text in zip(KEYS.segment_id, READ["a"], strict=True)
    ]


def _segments() -> SegmentTable:
    return SegmentTable(
        name="lines",
        digest="0123",
        segment_id=KEYS.segment_id,
        references=REFERENCES,
        cluster=KEYS.cluster,
        cluster_name="page",
        groups=KEYS.groups,
        media=[Path("/data/lines") / f"{name}.png" for name in KEYS.segment_id],
        areas=[((0, 0), (4, 0), (4, 2))] * 3,
        times=[(0.0, 1.5)] * 3,
        hypotheses=READ,
        facts=TextFacts(alternatives="references", notes=("A note.",), empty_cells="text", part="l1 to l3"),
        notes_on_hypotheses={"b": ("Another.",)},
        annotations={"entities": [[["fox", "animal"]], None, []]},
        annotations_of={"b": {"confidence": [0.5, None, 1.0]}},
    )


@cache
def _capture() -> Any:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "capture.parquet"
        write_capture(path, ORIGIN, KEYS, REFERENCES, _readings(), {"entities": [["fox"], None, []]})
        return read_capture(path)


@cache
def _normalized() -> Any:
    return normalize(_capture(), get_normalizer("lower"))


@cache
def _evaluation() -> Evaluation:
    # Pages enough for rates to have intervals, but not in every group.
    books = range(1, 5)
    return evaluate(
        REFERENCES * len(books),
        {name: texts * len(books) for name, texts in {**READ, "c": ["tne quick", "jumps", "one"]}.items()},
        clusters=[f"{book}{page}" for book in books for page in KEYS.cluster or ()],
        groups={"side": ["left", "right", "left"] + ["left"] * 9},
        ids=[f"{book}{line}" for book in books for line in KEYS.segment_id],
        metrics=["cer"],
        missing="empty",
        seed=1,
        statistics={"resamples": 99},
    )


@cache
def _with_runs() -> Evaluation:
    """One whose comparison has a section."""
    runs = {"1": REFERENCES, "2": ["the quick", "brown", *REFERENCES[2:]]}
    return evaluate(
        REFERENCES * 4,
        {"a": list(REFERENCES) * 4, "b": {run: list(texts) * 4 for run, texts in runs.items()}},
        clusters=[page for page in "abcd" for _ in REFERENCES],
        metrics=["cer"],
        seed=1,
        statistics={"resamples": 99},
    )


def _write_changes(path: Path) -> None:
    steps = [step.as_record() for step in count_changes(_capture(), get_normalizer("lower"))[""].values()]
    write_record(path, {"steps": steps}, kind="changes")


def _write_signature(path: Path) -> None:
    # Its own files lie beside it.
    table = path.with_name("rates.md")
    table.write_bytes(b"3.01\n")
    write_signature_file("rates", "cer|v:1", [table.name], path.parent)
    path.with_name("rates.signature.json").rename(path)
    table.unlink()


def _write_run(path: Path) -> None:
    made = _evaluation()
    scores = {system: of.scores for system, of in made.scored.items()}
    write_run(path, config={"seed": 1}, scores=scores, metrics=get_metrics(["cer"]), summary=made.result)


def _write_journal(path: Path) -> None:
    with Journal(path, SYSTEM) as journal:
        journal.keep(_key(journal), _readings()[0])


def _read_journal(path: Path) -> object:
    with Journal(path, SYSTEM) as journal:
        return journal.find(_key(journal), SOURCE)


def _key(journal: Journal) -> int:
    key = journal.key(SOURCE)
    assert key is not None
    return key


def _regimes() -> RegimesResult:
    system = SystemScore(
        rate=0.1, interval=ConfidenceInterval(low=0.05, high=0.2, confidence=0.95, method="percentile"), rank=1
    )
    pair = PairVerdict(baseline="a", system="b", difference=-0.1, pvalue=0.5, verdict="inconclusive")
    found = RegimeScore(
        regime="jiwer",
        version=1,
        rate="wer",
        unit="words",
        average="micro",
        segments=3,
        excluded=0,
        systems={"a": system, "b": system},
        pairs=(pair,),
        signature=Signature("wer", {"v": "1"}),
    )
    return RegimesResult(dataset="lines", scores=(found,), not_applied={"ocr": "no lines"})


def _decisions() -> Decisions:
    decided = {("one", "1"): Decision(True, "yes"), ("two", "3"): Decision(None, None, "no answer")}
    return Decisions({"model": "m", "prompt": "0123"}, decided)


def _ablation() -> AblationResult:
    rates = {
        "none": {
            "cer": AblatedRate(micro=0.5, signature=Signature("cer", {"v": "1"})),
            "wer": AblatedRate(micro=None, signature=Signature("w", {})),
        }
    }
    return AblationResult(dataset="lines", system="a", rates=rates)


def _confusions() -> ConfusionTable:
    kinds = {kind: Confusions(["a", "b"], ["o", "<DELETE>"], [2, 1]) for kind in ("character", "word")}
    return ConfusionTable(ORIGIN, kinds, FACTS, {"character": {"a": 3, "b": 1}})


def _write_counts(path: Path) -> None:
    scores = score(_normalized(), get_metrics(["cer", "wer"]), missing="empty")
    # Doubts are a key that a file has only if there is one, as one of this layout may.
    origin = replace(scores.origin, facts=replace(scores.origin.facts, doubts=()))
    scores = replace(scores, origin=origin)
    path.write_text(render_counts(CommittedCounts(scores, ["A sentence."])), encoding="utf-8")


def _pickle(path: Path) -> None:
    path.write_bytes(pickle.dumps(_evaluation()))


def _unpickle(path: Path) -> object:
    found: Evaluation = pickle.loads(path.read_bytes())  # noqa: S301  a file of this repository
    return found.result


def _disputes() -> Disputes:
    systems = {name: [text or "" for text in texts] for name, texts in READ.items()}
    return dispute(systems, seed=1, ids=KEYS.segment_id, clusters=KEYS.cluster, media=["l1.png"] * 3)


def _write_disputes(path: Path) -> None:
    """A table with a text, what cannot be read, and a span that is open."""
    _disputes().save(path)
    first, *rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row, truth in zip(rows, ("ck", "[?]"), strict=False):
        row["truth"] = truth
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in (first, *rows)), encoding="utf-8")


EXAMPLES: Mapping[str, Example] = {
    "segments": Example(
        "segments.parquet",
        lambda path: write_segments(
            path, _segments(), offers=frozenset({"line_image"}), root="{data_root}/lines", folder=Path("/data/lines")
        ),
        partial(read_segments, data_root="/data"),
    ),
    "capture": Example(
        "capture.parquet",
        lambda path: write_capture(path, ORIGIN, KEYS, REFERENCES, _readings(), {"entities": [["fox"], None, []]}),
        read_capture,
    ),
    "timings": Example("timings.parquet", lambda path: write_timings(path, ORIGIN, _readings()), read_timings),
    "normalized": Example("normalized.parquet", lambda path: write_normalized(path, _normalized()), read_normalized),
    "scores": Example(
        "scores.parquet",
        lambda path: write_scores(path, score(_normalized(), get_metrics(["cer", "wer"]), missing="empty")),
        read_scores,
    ),
    "alignments": Example(
        "alignments.parquet",
        lambda path: write_alignments(
            path, SegmentAlignments(ORIGIN, KEYS.segment_id, ["CCS", "D", "C"], ["CS", "D", "C"], FACTS)
        ),
        read_alignments,
    ),
    "confusions": Example("confusions.parquet", lambda path: write_confusions(path, _confusions()), read_confusions),
    "changes": Example("changes.json", _write_changes, lambda path: json.loads(path.read_bytes())["steps"]),
    "ablation": Example(
        "ablation.json",
        lambda path: write_record(path, _ablation(), kind="ablation"),
        lambda path: read_record(path, AblationResult, kind="ablation"),
    ),
    "regimes": Example(
        "regimes.json",
        lambda path: write_record(path, _regimes(), kind="regimes"),
        lambda path: read_record(path, RegimesResult, kind="regimes"),
    ),
    "comparison": Example(
        "comparison.json", lambda path: write_record(path, _with_runs().result, kind="comparison"), read_comparison
    ),
    "signature": Example("rates.signature.json", _write_signature, read_signature_file),
    "run": Example("run", _write_run, read_run),
    "study": Example(
        "study.json",
        lambda path: write_record(path, Record(misread="0.3.0"), kind="study"),
        lambda path: read_record(path, Record, kind="study"),
    ),
    "journal": Example("journal.jsonl", _write_journal, _read_journal),
    "decisions": Example("decisions.jsonl", lambda path: write_decisions(path, _decisions()), read_decisions),
    "disputes": Example("disputes.jsonl", _write_disputes, lambda path: read_filled(path, _disputes()).truths),
    "counts": Example("counts.csv", _write_counts, read_counts),
    "evaluation": Example("evaluation.pickle", _pickle, _unpickle),
}

STAGE_KINDS = (
    *("segments", "capture", "timings", "normalized", "scores", "alignments", "confusions"),
    *("ablation", "regimes", "comparison"),
)
"""Of files that a stage hands to another; `make fuzz` and `make chaos` damage each of them."""
