"""The report `sc_stats` of `misread score`: every pair of systems in the units of NIST's tool."""

from __future__ import annotations

from collections.abc import Mapping

from misread.errors import ConfigurationError
from misread.features.sclite.sc_stats import ScStats, compare_like_sc_stats
from misread.features.sclite.sc_stats_text import render_sc_stats
from misread.metrics.error_rate import ErrorRate
from misread.tally.scored_system import ScoredSystem


def report_like_sc_stats(scored: Mapping[str, ScoredSystem], baseline: str | None) -> tuple[list[ScStats], str]:
    """Compare all pairs, words aligned as by sclite; raises ConfigurationError for a system with several runs."""
    words = ErrorRate("wer", "word", alignment="sclite")
    if several := [name for name, system in scored.items() if system.texts.further_runs]:
        raise ConfigurationError(
            f"--report sc_stats is for systems with one run, which has an alignment; {several[0]} has more: score one "
            "of its runs alone."
        )
    scores = {name: system.scores for name, system in scored.items()}
    aligned = {name: system.operations([words])[words.id] for name, system in scored.items()}
    pairs = compare_like_sc_stats(scores, aligned, baseline=baseline)
    return pairs, "\n".join(map(render_sc_stats, pairs))
