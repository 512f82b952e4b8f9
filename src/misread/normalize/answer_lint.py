"""Doubts about the outputs of a system: what they share, what was taken off, and refusals."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import Final

from misread.alignment import distances
from misread.data.segment_table import Doubt, TextPairs
from misread.errors import MisreadError
from misread.normalize.normalizer import Normalizer, get_normalizer
from misread.normalize.shared_text import SharedText, find_shared
from misread.normalize.step import Side
from misread.normalize.steps.chatter import remove_shared, removed_part
from misread.normalize.steps.white_space import collapse_whitespace
from misread.text.display import shorten_label
from misread.text.refusals import is_refusal

_PROFILES: Final = ("answer", "structured", "unfenced")
_MEASURED: Final = 2_000  # outputs by which rates are estimated
_SHARE_OF_ERRORS: Final = 0.02  # from which on a shared text matters
_LONGEST: Final = 20_000
_SHOWN: Final = 4
_MANY_REFERENCES, _LONGER = 0.2, 1.02
_MOST_EMPTIED: Final = 0.02


def fit(normalizer: Normalizer, texts: TextPairs) -> Normalizer:
    """The normalizer for the outputs of one system: its steps that need them know what these outputs share."""
    for position, step in enumerate(normalizer.bound):
        if step.facts.is_fitted and not step.settings:
            before = replace(normalizer, steps=normalizer.steps[:position]).apply(texts)
            shared = find_shared(before.references, before.hypotheses, partial(map, collapse_whitespace))
            spelled = {"step": step.name, "rules": [text.rule for text in shared]}
            steps = [*normalizer.steps]
            steps[position] = spelled if step.side is None else {**spelled, "side": step.side}
            normalizer = replace(normalizer, steps=steps)
    return normalizer


def lint_outputs(normalizer: Normalizer, texts: TextPairs, system: str) -> list[Doubt]:
    """Doubts about the outputs of a system, for a sample of the texts of all runs before they are normalized."""
    pairs = [
        (reference, hypothesis)
        for reference, hypothesis in zip(texts.references, texts.hypotheses, strict=True)
        if hypothesis is not None
    ]
    references, outputs = ([pair[side] for pair in pairs] for side in (0, 1))
    doubts = [
        *_taken_off(normalizer, texts.references, outputs, system),
        *_shared(normalizer, references, outputs, system),
    ]
    refusals = sum(is_refusal(hypothesis) and not is_refusal(reference) for reference, hypothesis in pairs)
    if refusals:
        doubts.append(_counted(f"In {refusals:,} of {len(pairs):,} answers {system} refuses to read."))
    return doubts


def _counted(sentence: str) -> Doubt:
    """A doubt in which no text is quoted."""
    return Doubt(sentence=sentence, brief=sentence)


def _taken_off(
    normalizer: Normalizer, references: Sequence[str], answers: Sequence[str], system: str
) -> Iterator[Doubt]:
    """How many texts of each side were changed by which steps that take an answer out."""
    steps = {step.name for step in normalizer.bound if step.facts.takes_out}
    if not steps:
        return
    sides: tuple[tuple[Side, Sequence[str], str], ...] = (
        ("hypotheses", answers, f"answers of {system}"),
        ("references", references, "references"),
    )
    for side, texts, called in sides:
        traces = [[("", text), *normalizer.trace(text, side=side)] for text in texts]
        changes = [
            {name: removed_part(before, after) for (_, before), (name, after) in pairwise(trace) if after != before}
            for trace in traces
        ]
        changes = [{name: part for name, part in changed.items() if name in steps} for changed in changes]
        if by_step := Counter(chain.from_iterable(changes)):
            listed = ", ".join(f"{name} {number:,}" for name, number in by_step.most_common())
            counted = f"{sum(map(bool, changes)):,} of {len(texts):,} {called} ({listed}) were taken out of other text"
            part = next(filter(None, chain.from_iterable(changed.values() for changed in changes)), "")
            shown = f", such as '{shorten_label(' '.join(part.split()))}'" if part else ""
            yield Doubt(sentence=f"{counted}{shown}.", brief=f"{counted}.", quotes=bool(part))


def _shared(normalizer: Normalizer, references: Sequence[str], outputs: Sequence[str], system: str) -> Iterator[Doubt]:
    """What outputs share and their references lack, what it costs, and what a profile makes of it."""
    shared = find_shared(references, outputs, partial(map, partial(normalizer, side="hypotheses")))
    if not shared:
        yield from _lacking(references, outputs, system)
        return
    step = -(-len(outputs) // _MEASURED)
    sample = TextPairs(references[::step], outputs[::step])
    rules = tuple(text.rule for text in shared)
    without = TextPairs(sample.references, [remove_shared(text or "", rules=rules) for text in sample.hypotheses])
    rate, rate_without = _rate(normalizer.apply(sample)), _rate(normalizer.apply(without))
    if rate is None or rate_without is None or rate - rate_without < _SHARE_OF_ERRORS * rate:
        return
    tried = {name: _rate_under(name, sample) for name in _PROFILES if name != normalizer.name}
    better = {name: tried_rate for name, tried_rate in tried.items() if tried_rate is not None and tried_rate < rate}
    name = min(better, key=lambda profile: better[profile], default="")
    remedy = f"; with the normalizer '{name}' it is {100 * better[name]:.1f} %" if name else ""
    costs = f"of {100 * rate:.1f} % cer it costs {100 * (rate - rate_without):.1f} points{remedy}."
    most = max(text.outputs for text in shared)
    brief = f"Up to {most:,} of {len(outputs):,} outputs of {system} share text that their references lack; {costs}"
    yield Doubt(
        sentence=f"Outputs of {system} share text that their references lack: of {len(outputs):,}, "
        f"{', '.join(map(_describe, shared[:_SHOWN]))}; {costs}",
        brief=brief,
        quotes=True,
    )


def _lacking(references: Sequence[str], outputs: Sequence[str], system: str) -> Iterator[Doubt]:
    """What many references share and outputs lack, which are shorter then."""
    if sum(map(len, references)) <= _LONGER * sum(map(len, outputs)):
        return
    shared = find_shared(outputs, references, partial(map, collapse_whitespace))
    if shared and shared[0].outputs >= _MANY_REFERENCES * len(outputs):
        counted = f"{shared[0].outputs:,} of {len(outputs):,} references share text that outputs of {system} lack"
        advice = "See whether it is left out, or the sides are exchanged."
        yield Doubt(
            sentence=f"{counted}: they {_describe(shared[0]).partition(' ')[2]}. {advice}",
            brief=f"{counted}. {advice}",
            quotes=True,
        )


def _describe(text: SharedText) -> str:
    return f"{text.outputs:,} {text.position} '{shorten_label(' '.join(text.example.split()))}'"


def _rate(texts: TextPairs) -> float | None:
    """Rate of wrong characters; None if nothing is left to compare."""
    pairs = [
        (reference, hypothesis)
        for reference, hypothesis in zip(texts.references, texts.hypotheses, strict=True)
        if hypothesis is not None and max(len(reference), len(hypothesis)) <= _LONGEST
    ]
    length = sum(len(reference) for reference, _ in pairs)
    try:
        return int(distances(*zip(*pairs, strict=True)).sum()) / length if length else None
    except MisreadError:
        return None


def _rate_under(name: str, texts: TextPairs) -> float | None:
    """Rate under a profile; None if it changes references, or leaves nothing of more than a few outputs."""
    after = fit(get_normalizer(name), texts).apply(texts)
    changes = any(
        collapse_whitespace(old) != collapse_whitespace(new)
        for old, new in zip(texts.references, after.references, strict=True)
    )
    emptied = sum(
        bool(old and old.strip()) and not (new or "").strip()
        for old, new in zip(texts.hypotheses, after.hypotheses, strict=True)
    )
    return None if changes or emptied > _MOST_EMPTIED * len(texts) else _rate(after)
