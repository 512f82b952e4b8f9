"""Policies for segments without a hypothesis: applied once, by name, and written into the result."""

from collections.abc import Sequence

from misread.checks.choices import check_choice
from misread.errors import UndefinedResultError
from misread.records import MissingPolicy, NormalizedTexts


def rows_to_score(texts: NormalizedTexts, policy: MissingPolicy) -> Sequence[int]:
    """Rows that count under a policy, ascending.

    "error" raises UndefinedResultError if a hypothesis is missing; "drop" leaves such segments out (for all runs and
    systems, as `compare` keeps only common segments); "empty" counts a missing one as empty. All raise if no row is
    left.
    """
    check_choice("policy for missing hypotheses", policy, MissingPolicy)
    kept: Sequence[int] = range(len(texts.raw.hypotheses))
    for of in (texts, *texts.further_runs):
        if None in of.raw.hypotheses:
            if policy == "error":
                missing = [row for row, text in enumerate(of.raw.hypotheses) if text is None]
                raise UndefinedResultError(_describe(of, missing, run=of.run if texts.further_runs else ""))
            if policy == "drop":
                kept = [row for row in kept if of.raw.hypotheses[row] is not None]
    if not kept and texts.further_runs:
        raise UndefinedResultError(
            f"no segment of {texts.origin.dataset!r} has a hypothesis of system {texts.origin.system!r} in all of its "
            f"{1 + len(texts.further_runs)} runs: there is nothing to average. Read what failed again, or choose "
            "missing=empty (what is missing counts as an empty text)."
        )
    if not kept:
        raise UndefinedResultError(
            f"system {texts.origin.system!r} has no hypothesis for any of the {len(texts.segments)} segments of "
            f"{texts.origin.dataset!r}: there is nothing to score."
        )
    return kept


def _describe(texts: NormalizedTexts, missing: Sequence[int], *, run: str) -> str:
    shown = "; ".join(
        f"{texts.segments.segment_id[row]}: {texts.reasons[row] or 'no hypothesis'}" for row in missing[:3]
    )
    more = f"; and {len(missing) - 3} more" if len(missing) > 3 else ""
    of_run = f", run {run}," if run else ""
    return (
        f"system {texts.origin.system!r}{of_run} has no hypothesis for {len(missing)} of "
        f"{len(texts.segments)} segments of {texts.origin.dataset!r} ({shown}{more}). Fix them, or choose "
        "missing=empty (they count as empty texts) or missing=drop (they are left out for every system)."
    )
