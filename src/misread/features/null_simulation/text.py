"""The null simulation of a user's data, as text."""

from __future__ import annotations

from misread.features.null_simulation.null_simulation import CERTAINTY, NullSimulation, TestSize
from misread.tables.numbers import pvalue_text
from misread.text.display import show_label

_WORDS = {
    "safe": "safe",
    "cautious": "safe, and cautious: it misses more than it must",
    "too often": "UNSAFE: finds differences that are not there",
    "never": "cannot find anything: too few to reach alpha",
}


def render_null_simulation(result: NullSimulation) -> str:
    """Render the type I error of all tests on one pair of systems, and say which of them to trust."""
    wide = max(len(_name(size)) for size in result.tests)
    lines = [
        f"{result.system} against {result.baseline}, {result.metric}: {result.simulations:,} simulations in which "
        "neither is better",
        f"Labels changed sides by {result.exchanged}: {result.units} of them, {result.segments} segments; "
        f"alpha {result.alpha:g}",
        "",
        f"{'test':<{wide}}  type-I error  {f'[{CERTAINTY:.0%}]':>14}",
        *(
            f"{_name(size):<{wide}}  {size.type_1_error:>12.3f}  {f'[{size.low:.3f}, {size.high:.3f}]':>14}"
            f"  {_WORDS[size.judgement]}"
            for size in result.tests
        ),
        "",
        *_advice(result),
    ]
    return "\n".join(map(show_label, lines)) + "\n"


def _name(size: TestSize) -> str:
    return f"{size.test} by {size.unit}"


def _advice(result: NullSimulation) -> list[str]:
    safe = [_name(size) for size in result.tests if size.judgement in ("safe", "cautious")]
    unsafe = [_name(size) for size in result.tests if size.judgement == "too often"]
    lines = [f"Safe here: {', '.join(safe) or 'none of these'}."]
    if unsafe:
        lines.append(f"Not safe here: {', '.join(unsafe)}.")
    if result.thinned:
        lines.append(
            f"{result.thinned} makes more errors; in each simulation {1 - result.kept:.0%} of them, at random, were "
            "dropped first."
        )
    if result.is_upper_bound:
        lines.append(
            f"The two do differ (p {pvalue_text(result.observed_pvalue)}), which mixed labels turn into a difference "
            f"between {result.exchanged}s: figures by segment are upper bounds."
        )
    if result.exchanged == "segment":
        lines.append(
            "No clusters are named, so segments were taken as independent here too: this says nothing about clusters."
        )
    return lines
