"""Words of models around their answers: whether a normalizer leaves it in, and how often it took it off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from misread.data.segment_table import Doubt, TextPairs
from misread.normalize.normalizer import Normalizer, get_normalizer
from misread.normalize.step import Side
from misread.text.display import shorten_label
from misread.text.refusals import is_refusal

_WORDS: Final = 6
_FEWEST: Final = 3
_LEAST_SHARE: Final = 0.05
# From here on the beginning of a reference is the same text, perhaps misread.
_ALIKE: Final = 0.6
# Steps that straighten quotes change the marks of a fence.
_FENCE: Final = re.compile(r"\s*(?:[`']{3,}|~{3,})[^\n`]*\s*(?P<json>[\[{])?")


def lint_answers(normalizer: Normalizer, texts: TextPairs, system: str) -> list[Doubt]:
    """Doubts about text around the answers of a system, for a sample of its texts before they are normalized."""
    pairs = [
        (reference, hypothesis)
        for reference, hypothesis in zip(texts.references, texts.hypotheses, strict=True)
        if hypothesis is not None
    ]
    normalized = [
        (normalizer(reference, side="references"), normalizer(hypothesis, side="hypotheses"))
        for reference, hypothesis in pairs
    ]
    doubts = [
        *_taken_off(normalizer, texts.references, pairs, system),
        *_fences(normalized, system),
        *_openings(normalized, system),
    ]
    refusals = sum(is_refusal(hypothesis) and not is_refusal(reference) for reference, hypothesis in pairs)
    if refusals:
        doubts.append(_counted(f"In {refusals:,} of {len(pairs):,} answers {system} refuses to read."))
    return doubts


def _counted(sentence: str) -> Doubt:
    """A doubt in which no text is quoted."""
    return Doubt(sentence=sentence, brief=sentence)


def _taken_off(
    normalizer: Normalizer, references: Sequence[str], pairs: Sequence[tuple[str, str]], system: str
) -> Iterator[Doubt]:
    """How many texts of each side were changed by which steps that take an answer out."""
    steps = {step.name for step in normalizer.bound if step.facts.takes_out}
    if not steps:
        return
    answers = [hypothesis for _, hypothesis in pairs]
    sides: tuple[tuple[Side, Sequence[str], str], ...] = (
        ("hypotheses", answers, f"answers of {system}"),
        ("references", references, "references"),
    )
    for side, texts, called in sides:
        changes, changed = Counter[str](), 0
        for text in texts:
            before, names = text, set()
            for name, after in normalizer.trace(text, side=side):
                if name in steps and after != before:
                    names.add(name)
                before = after
            changes.update(names)
            changed += bool(names)
        if changed:
            by_step = ", ".join(f"{name} {number:,}" for name, number in changes.most_common())
            counted = f"{changed:,} of {len(texts):,} {called} ({by_step})"
            yield _counted(f"{counted} were taken out of what stands around them.")


def _fences(pairs: Sequence[tuple[str, str]], system: str) -> Iterator[Doubt]:
    fences = [match for reference, text in pairs if (match := _FENCE.match(text)) and not _FENCE.match(reference)]
    if not _is_worth_it(len(fences), len(pairs)):
        return
    name = "structured" if sum(match["json"] is not None for match in fences) > len(fences) / 2 else "answer"
    counted = _some(len(fences), len(pairs), system)
    yield _counted(f"{counted} begin with a code fence, {_left_in(name)}")


def _openings(pairs: Sequence[tuple[str, str]], system: str) -> Iterator[Doubt]:
    """The first six words that many answers share, unless their references begin alike."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for row, (_, text) in enumerate(pairs):
        first = text.split(maxsplit=_WORDS)[:_WORDS]
        if len(first) == _WORDS and not _FENCE.match(text):
            rows.setdefault(tuple(word.casefold() for word in first), []).append(row)
    if not rows:
        return
    words, same = max(rows.items(), key=lambda entry: len(entry[1]))
    opening = " ".join(words)
    same = [row for row in same if not _begins_alike(pairs[row][0], opening)]
    if not _is_worth_it(len(same), len(pairs)):
        return
    shown = shorten_label(" ".join(pairs[same[0]][1].split(maxsplit=_WORDS)[:_WORDS]))
    counted = f"{_some(len(same), len(pairs), system)} begin with the same six words"
    remedy = next((name for name in ("structured", "answer") if _takes_off(name, [pairs[row][1] for row in same])), "")
    left_in = _left_in(remedy)
    yield Doubt(sentence=f"{counted} ('{shown}'), {left_in}", brief=f"{counted}, {left_in}", quotes=True)


def _left_in(remedy: str) -> str:
    """Sentence on chatter that counts as errors, with the normalizer that takes it off, if there is one."""
    known = f"which the normalizer '{remedy}' takes off, " if remedy else ""
    return f"{known}and the references do not."


def _begins_alike(reference: str, opening: str) -> bool:
    beginning = reference.casefold()[: len(opening)]
    return SequenceMatcher(None, beginning, opening, autojunk=False).ratio() >= _ALIKE


def _takes_off(name: str, answers: Sequence[str]) -> bool:
    """Whether a profile changes the beginning of most of these answers."""
    normalizer = get_normalizer(name)
    changed = sum(normalizer(text).split()[:1] != text.split()[:1] for text in answers)
    return 2 * changed > len(answers)


def _is_worth_it(number: int, answers: int) -> bool:
    return number >= max(_FEWEST, _LEAST_SHARE * answers)


def _some(number: int, answers: int, system: str) -> str:
    return f"{number:,} of {answers:,} answers of {system}"
