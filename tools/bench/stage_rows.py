"""Rows for stages: the score stage from file to file, memory, resampling, sign flips and a whole comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import jiwer
import numpy as np
import pyarrow as pa
from scipy.stats import bootstrap, permutation_test
from tests.whole_tables import write_normalized, write_scores

from misread.data.segment_table import Origin, SegmentKeys
from misread.sockets import METRICS
from misread.stats import StatisticsSettings, compare_systems
from misread.stats.bootstrap.kernels import flipped_sums
from misread.stats.bootstrap.resampling import bootstrap_sums
from misread.storage import read_normalized
from misread.storage.parquet import note_origin
from misread.storage.parquet_writer import write_parquet_parts
from misread.tally import score
from misread.tally.scores import Counts, Scores
from misread.types import IntArray
from tools.bench.alignment_rows import CHARACTERS, as_normalized
from tools.bench.measure import Peer, Row, run_python, speed_up
from tools.bench.texts import LETTERS, Pairs, make_pairs

_STAGE_METRICS = ("cer", "wer", "line_accuracy")


def stage_rows(scale: float) -> Iterator[Row]:
    """The score stage, Parquet to Parquet: characters, words and lines, of as many pairs as a goal says."""
    pairs = make_pairs("Latin", int(4_000_000 * scale), 8, 0.07)
    with TemporaryDirectory() as folder:
        whole, few, scores = (Path(folder) / f"{name}.parquet" for name in ("whole", "few", "scores"))
        share = 0.02
        write_normalized(whole, as_normalized(pairs))
        write_normalized(few, as_normalized(pairs.head(int(len(pairs) * share))))
        work = f"score stage, {len(pairs):,} pairs"
        run = partial(_score_file, whole, scores)
        peer = Peer("jiwer", partial(_score_file_with_jiwer, few), share)
        yield Row(work, "Parquet to Parquet: chars, words, lines", speed_up(run, peer), "60")
        work, memory = "normalize and score, ten times the pairs", partial(_compare_memory, pairs, Path(folder))
        yield Row(work, "peak memory of each process", lambda _: (f"{len(pairs):,} pairs", memory()), "at most 1.1 x")


def _score_file(source: Path, target: Path) -> None:
    """Run the stage's work for a few metrics."""
    metrics = [METRICS[name] for name in _STAGE_METRICS]
    write_scores(target, score(read_normalized(source), metrics))


def _score_file_with_jiwer(source: Path) -> None:
    texts = read_normalized(source).normalized
    sides = list(texts.references), [text or "" for text in texts.hypotheses]
    jiwer.process_characters(*sides, CHARACTERS, CHARACTERS)
    jiwer.process_words(*sides)
    sum(reference == hypothesis for reference, hypothesis in zip(*sides, strict=True))


_NORMALIZE = """
from pathlib import Path
from misread.storage import making_parts
from misread.normalize import get_normalizer
from misread.pipeline.normalized_parts import normalize_part, plan_parts, write_parts
source, target, normalizer = Path({source!r}), Path({target!r}), get_normalizer("lower")
with making_parts(target) as folder:
    write_parts(map(normalize_part, plan_parts(source, normalizer, folder)), target, normalizer)
"""
_SCORE = """
from pathlib import Path
from misread.storage import making_parts
from misread.sockets import get_metrics
from misread.pipeline.scored_parts import plan_parts, score_part, write_parts
source, target = Path({source!r}), Path({target!r})
files = {{name: target.with_suffix("." + name) for name in ("scores", "alignments", "confusions")}}
with making_parts(target) as folder:
    tasks = plan_parts(source, get_metrics(["cer", "wer", "line_accuracy"]), folder, checked=50)
    write_parts(map(score_part, tasks), **files)
"""


def _compare_memory(pairs: Pairs, folder: Path) -> str:
    """Peaks of the stages' work on the pairs, and on ten times as many in which every letter is another one."""
    megabytes: dict[str, list[float]] = {"normalize": [], "score": []}
    for times in (1, 10):
        captured, normalized = (folder / f"{name}.{times}" for name in ("captured", "normalized"))
        _write_capture(captured, pairs, times)
        for stage, program, source, target in (
            ("normalize", _NORMALIZE, captured, normalized),
            ("score", _SCORE, normalized, folder / f"scored.{times}"),
        ):
            run = run_python(program.format(source=str(source), target=str(target)))
            megabytes[stage].append(run.peak_bytes / 1e6)
    return "; ".join(
        f"{stage} {few:.0f} to {many:.0f} MB, {many / few:.2f} x" for stage, (few, many) in megabytes.items()
    )


def _write_capture(path: Path, pairs: Pairs, times: int) -> None:
    """Write the pairs so many times, each time in letters of their own, so that there are as many different words."""
    letters = LETTERS["Latin"]

    def columns(turn: int) -> dict[str, pa.Array]:
        other = str.maketrans(letters, letters[turn:] + letters[:turn])
        return {
            "segment_id": pa.array([f"{turn}-{row}" for row in range(len(pairs))]),
            "reference": pa.array([text.translate(other) for text in pairs.references]),
            "run": pa.array([1] * len(pairs), pa.int32()),
            "hypothesis": pa.array([text.translate(other) for text in pairs.hypotheses]),
            "reason": pa.nulls(len(pairs), pa.string()),
        }

    note = {"origin": note_origin(Origin("lines", "system"))}
    write_parquet_parts(path, map(columns, range(times)), kind="capture", note=note)


SYSTEMS, SEGMENTS, RESAMPLES = 8, 10_000, 10_000
# Share of the work given to SciPy where it takes long.
SHARE = 0.01
# Usual length of a segment by metric.
LENGTHS = {"cer": 50, "wer": 9, "ger": 48}


def bootstrap_rows(_scale: float) -> Iterator[Row]:
    """Bootstrap of systems that share their segments."""
    lengths, errors = _draw_counts("cer")
    counts = np.column_stack([*errors, lengths])
    peer = Peer("scipy.stats.bootstrap", partial(_bootstrap_each, errors, lengths), SHARE)
    measure = speed_up(partial(bootstrap_sums, counts, resamples=RESAMPLES, seed=1), peer)
    yield Row("bootstrap", f"{SYSTEMS} systems, {SEGMENTS:,} segments, B = {RESAMPLES:,}", measure, "30", "50")


def flip_rows(_scale: float) -> Iterator[Row]:
    """Sign flips of paired differences."""
    _, errors = _draw_counts("cer")
    differences = (errors[1] - errors[0])[:1000]
    peer = Peer("scipy.stats.permutation_test", partial(_permute, differences, RESAMPLES))
    flips = partial(flipped_sums, differences[:, np.newaxis], RESAMPLES, 1)
    yield Row("sign flip", f"n = 1,000, {RESAMPLES:,} draws", speed_up(flips, peer), "100", "200")


def comparison_rows(_scale: float) -> Iterator[Row]:
    """The whole compare stage."""
    counts = {metric: _draw_counts(metric) for metric in LENGTHS}
    systems = {f"system{number}": _make_scores(counts, number) for number in range(SYSTEMS)}
    settings, metrics = StatisticsSettings(seed=1, resamples=RESAMPLES), [METRICS[metric] for metric in LENGTHS]
    run = partial(compare_systems, systems, metrics, settings, dataset="drawn", baseline="system0")
    work = f"{SYSTEMS} systems, {SEGMENTS:,} segments, {len(LENGTHS)} metrics, B = {RESAMPLES:,}, all pairs"
    peer = Peer("scipy: the same intervals and sign flips", partial(_compare_with_scipy, counts), SHARE)
    yield Row("compare stage", work, speed_up(run, peer))


def _draw_counts(metric: str) -> tuple[IntArray, IntArray]:
    """Lengths, shape (segments,), and errors of every system, each a little worse, shape (systems, segments)."""
    rng, length = np.random.default_rng(1), LENGTHS[metric]
    lengths = rng.integers(length // 2, length * 3 // 2, size=SEGMENTS)
    return lengths, np.stack([rng.binomial(lengths, 0.05 + 0.002 * number) for number in range(SYSTEMS)])


def _make_scores(counts: Mapping[str, tuple[IntArray, IntArray]], number: int) -> Scores:
    by_metric = {}
    for metric, (lengths, errors) in counts.items():
        wrong, none = errors[number], np.zeros_like(lengths)
        values = np.stack([wrong, lengths, lengths - wrong, wrong, none, none], axis=-1)
        by_metric[metric] = Counts(METRICS[metric].columns, values)
    return Scores(
        Origin("drawn", f"system{number}"),
        SegmentKeys([f"s{row:05}" for row in range(SEGMENTS)], None, {}),
        counts=by_metric,
        signatures={metric: METRICS[metric].signature("none") for metric in counts},
        normalizer="none",
        reference_digest=["same"] * SEGMENTS,
        missing="error",
    )


def _compare_with_scipy(counts: Mapping[str, tuple[IntArray, IntArray]]) -> None:
    for lengths, errors in counts.values():
        _bootstrap_each(errors, lengths)
        for first, second in combinations(errors, 2):
            _permute(second - first, int(RESAMPLES * SHARE))


def _bootstrap_each(errors: IntArray, lengths: IntArray) -> None:
    for system in errors:
        bootstrap(
            (system, lengths),
            lambda numerator, denominator, axis: numerator.sum(axis) / denominator.sum(axis),
            paired=True,
            vectorized=True,
            n_resamples=int(RESAMPLES * SHARE),
            method="percentile",
            rng=1,
        )


def _permute(differences: IntArray, resamples: int) -> None:
    permutation_test(
        (differences,),
        lambda values, axis: values.sum(axis),
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=True,
        rng=1,
    )
