"""Spans in which systems differ: to be saved, filled with the truth, and read as a verdict."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from misread.features.disputes.checked_clusters import PairSoFar, decide_so_far
from misread.features.disputes.spans import DisputedSpans
from misread.features.disputes.tables import read_filled, write_table
from misread.features.disputes.verdict import DisputeVerdict, reach_verdict
from misread.stats import StatisticsSettings


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Disputes(DisputedSpans):
    """Spans in which systems differ, to be saved, filled with the truth, and read as a verdict."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a table with an empty column `truth`: CSV, or JSON Lines for a name that ends in .jsonl."""
        write_table(self, Path(path))

    def page(self, path: str | os.PathLike[str]) -> None:
        """Write a page on which the truth of each span is typed next to its image or audio: one file, no network."""
        from misread.features.disputes.page import write_page

        write_page(self, Path(path))

    def verdict(
        self,
        filled: str | os.PathLike[str],
        *,
        metrics: str | Sequence[str] = "cer",
        statistics: StatisticsSettings | None = None,
    ) -> DisputeVerdict:
        """Compare all pairs of systems by the truth that somebody has typed.

        Parameters
        ----------
        filled : path
            Table or saved file of the page, with the truth of every span: one that equals a reading is that reading.
            Else `[?]`, or the mark `unreadable`, is what cannot be read and counts for no system; `[]`, or the mark
            `nothing`, is no text.
        metrics : str or sequence of str
            Error rates, by their names.
        statistics : StatisticsSettings, optional
            Of intervals and tests; by default with the seed of the draw.

        Returns
        -------
        DisputeVerdict
            `pairs["a", "b"]["cer"]` with difference, interval and verdict, as of `evaluate`, and `rates`.

        Raises
        ------
        InputFileError
            If the file is none of these spans, has one twice, or was filled for other texts.
        UndefinedResultError
            If spans lack a truth.
        """
        return reach_verdict(
            self,
            read_filled(Path(filled), self),
            metrics=[metrics] if isinstance(metrics, str) else list(metrics),
            statistics=statistics or StatisticsSettings(seed=self.draw.seed),
        )

    def so_far(
        self,
        filled: str | os.PathLike[str],
        *,
        metrics: str | Sequence[str] = "cer",
        total: int | None = None,
        margin: float | None = None,
        level: float = 0.05,
    ) -> list[PairSoFar]:
        """Compare all pairs of systems after each checked cluster, to stop when it is decided.

        Clusters are checked in the order of the spans, which is random if they were drawn with a budget. The first ones
        count, up to the first in which a disputed span is open.

        Parameters
        ----------
        filled : path
            Table or saved file of the page; spans may be open.
        metrics : str or sequence of str
            Error rates, by their names.
        total, margin, level
            As of `misread.stats.decide_sequentially`.

        Returns
        -------
        list of PairSoFar
            `baseline`, `system`, `metric` and `result`, a `SequentialVerdict`, of every pair.

        Raises
        ------
        InputFileError
            If the file is none of these spans, has one twice, or was filled for other texts.
        UndefinedResultError
            If fewer than three clusters are checked.
        """
        return decide_so_far(
            self,
            read_filled(Path(filled), self),
            metrics=[metrics] if isinstance(metrics, str) else list(metrics),
            total=total,
            margin=margin,
            level=level,
        )
