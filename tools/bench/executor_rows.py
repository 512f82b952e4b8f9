"""Rows for work on two workers of Dask beside one, by the clock: on two processors that do nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.whole_tables import write_normalized

from misread.execution import Dask
from misread.pipeline.scored_parts import plan_parts, score_part, write_parts
from misread.sockets import get_metrics
from misread.storage import making_parts
from tools.bench.line_rows import as_normalized
from tools.bench.measure import Peer, Ratio, Row
from tools.bench.texts import make_pairs


def executor_rows(scale: float) -> Iterator[Row]:
    """The score stage; workers were started and have their code loaded before."""
    with TemporaryDirectory() as folder, ExitStack() as opened:
        path = Path(folder) / "normalized.parquet"
        # As many as somebody would take workers for.
        pairs = int(4_000_000 * scale)
        write_normalized(path, as_normalized(make_pairs("Latin", pairs, 8, 0.07)))
        one, two = (opened.enter_context(Dask(workers)) for workers in (1, 2))
        yield Ratio(
            f"score stage, {pairs:,} pairs",
            "two workers, by the clock",
            partial(_score, two, path),
            (Peer("one worker", partial(_score, one, path)),),
            "1.6",
            clock=time.perf_counter,
        )


def _score(executor: Dask, path: Path) -> None:
    with making_parts(path) as folder:
        tasks = plan_parts(path, get_metrics(["cer", "wer", "line_accuracy"]), folder)
        write_parts(
            executor.map(score_part, tasks),
            folder,
            scores=path.with_name("scores"),
            alignments=path.with_name("alignments"),
            confusions=path.with_name("confusions"),
            map_tasks=executor.map,
        )
