"""Policies for segments without a hypothesis: applied once, by name, and written into the result."""

from collections.abc import Sequence

from misread.checks.choices import check_choice
from misread.errors import UndefinedResultError
from misread.records import MissingPolicy, NormalizedTexts


def rows_to_score(texts: NormalizedTexts, policy: MissingPolicy) -> Sequence[int]:
    """Rows that count under a policy, ascending.

    "error" raises UndefinedResultError if a hypothesis is missing; "drop" leaves such segments out (for all systems, as
    `compare` keeps only common segments); "empty" counts a missing one as empty. All raise if no row is left.
    """
    check_choice("policy for missing hypotheses", policy, MissingPolicy)
    kept: Sequence[int] = range(len(texts.raw.hypotheses))
    if None in texts.raw.hypotheses:
        missing = [row for row, text in enumerate(texts.raw.hypotheses) if text is None]
        if policy == "error":
            raise UndefinedResultError(_describe(texts, missing))
        if policy == "drop":
            kept = [row for row, text in enumerate(texts.raw.hypotheses) if text is not None]
    if not kept:
        raise UndefinedResultError(
            f"system {texts.origin.system!r} has no hypothesis for any of the {len(texts.segments)} segments of "
            f"{texts.origin.dataset!r}: there is nothing to score."
        )
    return kept


def _describe(texts: NormalizedTexts, missing: Sequence[int]) -> str:
    shown = "; ".join(
        f"{texts.segments.segment_id[row]}: {texts.reasons[row] or 'no hypothesis'}" for row in missing[:3]
    )
    more = f"; and {len(missing) - 3} more" if len(missing) > 3 else ""
    return (
        f"system {texts.origin.system!r} has no hypothesis for {len(missing)} of {len(texts.segments)} segments of "
        f"{texts.origin.dataset!r} ({shown}{more}). Fix them, or choose missing=empty (they count as empty texts) or "
        "missing=drop (they are left out for every system)."
    )
