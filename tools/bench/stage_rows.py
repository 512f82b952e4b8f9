"""Rows for stages: the score stage from file to file, resampling and sign flips."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import jiwer
import numpy as np
from scipy.stats import bootstrap, permutation_test
from tests.whole_tables import write_normalized, write_scores

from misread.sockets import get_metrics
from misread.stats.bootstrap.kernels import flipped_sums
from misread.stats.bootstrap.resampling import bootstrap_sums
from misread.storage import read_normalized
from misread.tally import score
from misread.types import IntArray
from tools.bench.alignment_rows import CHARACTERS, as_normalized
from tools.bench.measure import Peer, Row, speed_up
from tools.bench.texts import make_pairs


def stage_rows(scale: float) -> Iterator[Row]:
    """The score stage, Parquet to Parquet: characters, words and lines."""
    pairs = make_pairs("Latin", int(800_000 * scale), 8, 0.07)
    with TemporaryDirectory() as folder:
        whole, few, scores = (Path(folder) / f"{name}.parquet" for name in ("whole", "few", "scores"))
        share = 0.05
        write_normalized(whole, as_normalized(pairs))
        write_normalized(few, as_normalized(pairs.head(int(len(pairs) * share))))
        work = f"score stage, {len(pairs):,} pairs"
        metrics = get_metrics(["cer", "wer", "line_accuracy"])
        peer = Peer("jiwer", partial(_score_file_with_jiwer, few), share)
        measure = speed_up(lambda: write_scores(scores, score(read_normalized(whole), metrics)), peer)
        yield Row(work, "Parquet to Parquet: chars, words, lines", measure, "60")


def _score_file_with_jiwer(source: Path) -> None:
    texts = read_normalized(source).normalized
    sides = list(texts.references), [text or "" for text in texts.hypotheses]
    jiwer.process_characters(*sides, CHARACTERS, CHARACTERS)
    jiwer.process_words(*sides)
    sum(reference == hypothesis for reference, hypothesis in zip(*sides, strict=True))


SYSTEMS, SEGMENTS, RESAMPLES = 8, 10_000, 10_000
# Share of the work that SciPy is given.
SHARE = 0.01


def resampling_rows(scale: float) -> Iterator[Row]:
    """Bootstrap of systems that share their segments, and sign flips of the differences of two."""
    lengths, errors = _draw_counts()
    resamples = max(200, round(RESAMPLES * scale))
    counts = np.column_stack([*errors, lengths])
    peer = Peer("scipy.stats.bootstrap", partial(_bootstrap_each, errors, lengths, int(resamples * SHARE)), SHARE)
    measure = speed_up(partial(bootstrap_sums, counts, resamples=resamples, seed=1), peer)
    yield Row("bootstrap", f"{SYSTEMS} systems, {SEGMENTS:,} segments, B = {RESAMPLES:,}", measure, "30", "50")
    differences = (errors[1] - errors[0])[:1000]
    options = {"permutation_type": "samples", "n_resamples": resamples, "vectorized": True, "rng": 1}
    permute = partial(permutation_test, (differences,), lambda values, axis: values.sum(axis), **options)
    peer = Peer("scipy.stats.permutation_test", permute)
    flips = partial(flipped_sums, differences[:, np.newaxis], resamples, 1)
    yield Row("sign flip", f"n = 1,000, {RESAMPLES:,} draws", speed_up(flips, peer), "100", "200")


def _draw_counts() -> tuple[IntArray, IntArray]:
    """Lengths, shape (segments,), and errors of every system, each a little worse, shape (systems, segments)."""
    rng = np.random.default_rng(1)
    lengths = rng.integers(25, 75, size=SEGMENTS)
    return lengths, np.stack([rng.binomial(lengths, 0.05 + 0.002 * number) for number in range(SYSTEMS)])


def _bootstrap_each(errors: IntArray, lengths: IntArray, resamples: int) -> None:
    for system in errors:
        bootstrap(
            (system, lengths),
            lambda numerator, denominator, axis: numerator.sum(axis) / denominator.sum(axis),
            paired=True,
            vectorized=True,
            n_resamples=resamples,
            method="percentile",
            rng=1,
        )
