"""Faults inserted into the statistics; each has to break a claim, or the studies would prove little."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import getsource
from types import FunctionType
from typing import cast

from tools.calibrate.running import Finding, Study, run
from tools.calibrate.studies import BY_ID

# A multiple of every length from 4 to 22.
COMMON_LENGTH = 232_792_560


@dataclass(frozen=True)
class Mutant:
    """A fault."""

    name: str
    function: str  # that is changed, as MODULE:FUNCTION of misread
    old: str  # in its source
    new: str
    study: Study  # that has to notice
    lines: tuple[str, ...]  # of it to run
    share: float = 1.0  # of its samples that is enough

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Insert the fault, and remove it at the end of the block."""
        module_name, _, function_name = self.function.partition(":")
        module = sys.modules[f"misread.{module_name}"]
        function = cast("FunctionType", getattr(module, function_name))
        source = textwrap.dedent(getsource(function))
        if source.count(self.old) != 1:
            raise SystemExit(f"mutant {self.name!r}: expected {self.old!r} once in {self.function}; update it.")
        changed: dict[str, Callable[..., object]] = {}
        # The fault's code is from this file.
        exec(source.replace(self.old, self.new), module.__dict__ | {}, changed)  # noqa: S102
        right = function.__code__
        # Replace the code, not the function, because other modules have imported the function.
        function.__code__ = cast("FunctionType", changed[function_name]).__code__
        try:
            yield
        finally:
            function.__code__ = right

    def find(self, *, scale: float = 1.0) -> list[Finding]:
        """Run the lines that have to notice the fault."""
        with self.applied():
            return run(self.study, scale=scale * self.share, only=self.lines)


_DRAWN = "resampled_sums(exact_columns(units, len(units)), resamples, seed)"

MUTANTS = (
    Mutant(
        "systems drawn apart (unpaired resampling)",
        "stats.bootstrap.resampling:bootstrap_sums",
        _DRAWN,
        "np.concatenate([resampled_sums(exact_columns(half, len(half)), resamples, seed + at) "
        "for at, half in enumerate(np.split(units, 2, axis=1))], axis=1)",
        BY_ID["S1"],
        ("bootstrap",),
        share=0.1,
    ),
    Mutant(
        "rows drawn inside their clusters",
        "stats.bootstrap.resampling:bootstrap_sums",
        _DRAWN,
        "sum(resampled_sums(exact_columns(counts[clusters == code], len(counts)), resamples, seed + int(code)) "
        "for code in np.unique(clusters))",
        BY_ID["S2"],
        ("bootstrap by cluster",),
        share=0.1,
    ),
    Mutant(
        "mean of ratios instead of ratio of sums",
        "stats.bootstrap.resampling:bootstrap_sums",
        "units = cluster_rows(counts, clusters)",
        f"units = counts * ({COMMON_LENGTH} // counts[:, 1::2]).repeat(2, axis=1)",
        BY_ID["S3"],
        ("rate, 100 segments, short ones harder, percentile",),
        share=0.1,
    ),
    Mutant(
        "standard deviation with n (ddof 0)",
        "stats.significance.rate_differences:paired_t_test",
        "ddof=1",
        "ddof=0",
        BY_ID["S1"],
        ("paired t, 4 normal differences",),
    ),
    Mutant(
        "p = r / B, the observed sample not counted",
        "stats.significance.randomisation:_monte_carlo",
        "(1 + int(np.count_nonzero(is_extreme))) / (1 + patterns)",
        "int(np.count_nonzero(is_extreme)) / patterns",
        BY_ID["S1"],
        ("randomisation, 21 exchanges drawn",),
    ),
    Mutant(
        "ties with the observed sample not counted (> for >=)",
        "stats.significance.randomisation:_tail",
        "np.abs(signed) >= observed",
        "np.abs(signed) > observed",
        BY_ID["S1"],
        ("randomisation, 12 segments",),
    ),
    Mutant(
        "the wrong tail (< for >=)",
        "stats.significance.randomisation:_tail",
        "np.abs(signed) >= observed",
        "np.abs(signed) < observed",
        BY_ID["S4"],
        ("randomisation, 0% fewer errors", "randomisation, 10% fewer errors", "randomisation, 20% fewer errors"),
    ),
    Mutant(
        "the normal distribution in place of Student's",
        "stats.bootstrap.jackknife:symmetric_interval",
        "-float(scipy.special.stdtrit(estimate.freedom, tail))",
        "-float(scipy.special.ndtri(tail))",
        BY_ID["S9"],
        ("strong, unequal, 30 % fewer errors, 8 clusters, jackknife",),
        share=0.5,
    ),
    Mutant(
        "the variance of runs left out",
        "stats.compare.repeated_runs:with_runs",
        "(of.runs - of.residual) / cells",
        "(of.residual - of.runs) / cells",
        BY_ID["S10"],
        ("difference, 12 clusters in 5 runs, an effect of runs, crossed",),
        share=0.25,
    ),
    Mutant(
        "a finite rest taken for an endless one",
        "features.prediction.prediction:predict_rest",
        "0.0 if rest is None else 1 / (rest - further)",
        "0.0",
        BY_ID["S12"],
        ("the rest, 12 of 24 clusters checked",),
        share=0.5,
    ),
)
