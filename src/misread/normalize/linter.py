"""Changes that a normalizer makes to words and letters, perhaps without intention."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from typing import Final

from misread.data.segment_table import TextPairs
from misread.normalize.normalizer import Normalizer

MOST_EXAMPLES: Final = 3
# First words of the names of marks that belong to no script.
_OF_ALL_SCRIPTS: Final = ("COMBINING", "MODIFIER", "VARIATION")


@dataclass(frozen=True, kw_only=True)
class LintSettings:
    """Limits of unremarkable changes: factor between words of a script before and after, share of its letters lost."""

    words_ratio: float = 1.5
    lost_letters: float = 0.2


@dataclass(frozen=True)
class ScriptChange:
    """Words and letters (with their marks) of one script before and after."""

    words: tuple[int, int]
    letters: tuple[int, int]


@dataclass(frozen=True)
class Finding:
    """One remarkable change, as a sentence without its full stop, with texts before and after."""

    rule: str
    sentence: str
    script: str = field(default="", kw_only=True)  # whose words or letters it is about
    examples: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class LintResult:
    """Changes by script, and findings."""

    scripts: Mapping[str, ScriptChange]
    findings: Sequence[Finding] = field(default_factory=tuple)


def lint(normalizer: Normalizer, texts: TextPairs, settings: LintSettings | None = None) -> LintResult:
    """Compare texts before and after, by script; words that digits and signs are spelled with do not count.

    Findings are scripts whose words become many more or fewer or whose letters get lost, texts that become empty, steps
    of one side only, results that change when they are normalized again, and Turkish letters that fall apart.
    """
    limits = settings or LintSettings()
    references = [(text, normalizer(text, side="references")) for text in texts.references]
    hypotheses = [(text, normalizer(text, side="hypotheses")) for text in texts.hypotheses if text is not None]
    again = [(changed, normalizer(changed, side="references")) for _, changed in references]
    again += [(changed, normalizer(changed, side="hypotheses")) for _, changed in hypotheses]
    counted = [_count_words(pair, partial(normalizer, side="references")) for pair in references]
    counted += [_count_words(pair, partial(normalizer, side="hypotheses")) for pair in hypotheses]
    pairs = references + hypotheses
    letters_before = _letters("".join(text for text, _ in pairs))
    letters_after = _letters("".join(changed for _, changed in pairs))
    before = sum((words for words, _ in counted), Counter[str]())
    after = sum((words for _, words in counted), Counter[str]())
    scripts = {
        script: ScriptChange((before[script], after[script]), (letters_before[script], letters_after[script]))
        for script in sorted(letters_before | letters_after)
    }
    other_words = [
        (pair, words, words_after)
        for pair, (words, words_after) in zip(pairs, counted, strict=True)
        if words != words_after
    ]
    findings = [
        *_unlike_sides(normalizer),
        *(
            finding
            for script, change in scripts.items()
            for finding in _of_script(script, change, pairs, other_words, limits)
        ),
        *_emptied(references, "reference", "references"),
        *_emptied(hypotheses, "hypothesis", "hypotheses"),
        *_not_idempotent(again),
        *_broken_turkish(pairs),
    ]
    return LintResult(scripts, findings)


def _of_script(
    script: str,
    change: ScriptChange,
    pairs: Sequence[tuple[str, str]],
    other_words: Sequence[tuple[tuple[str, str], Counter[str], Counter[str]]],
    limits: LintSettings,
) -> list[Finding]:
    findings = []
    words, words_after = change.words
    letters, letters_after = change.letters
    if words and not words / limits.words_ratio <= words_after <= words * limits.words_ratio:
        examples = _examples(pair for pair, before, after in other_words if before[script] != after[script])
        findings.append(
            Finding(
                "words",
                f"makes {words_after:,} words of {words:,} in the script {script.title()}",
                examples,
                script=script,
            )
        )
    if letters and letters_after < letters * (1 - limits.lost_letters):
        lost = (letters - letters_after) / letters
        examples = _examples(pair for pair in pairs if _letters(pair[0])[script] > _letters(pair[1])[script])
        findings.append(
            Finding(
                "letters",
                f"drops {lost:.0%} of the letters and marks of the script {script.title()}",
                examples,
                script=script,
            )
        )
    return findings


def _unlike_sides(normalizer: Normalizer) -> list[Finding]:
    return [
        Finding("sides", f"applies {step.name} to {step.side} only, so that the two sides are normalized differently")
        for step in normalizer.bound
        if step.side is not None
    ]


def _emptied(pairs: Sequence[tuple[str, str]], singular: str, plural: str) -> list[Finding]:
    emptied = [pair for pair in pairs if not pair[1].strip() and any(map(str.isalnum, pair[0]))]
    called = singular if len(emptied) == 1 else plural
    return [Finding("empty", f"empties {len(emptied):,} {called}", _examples(emptied))] if emptied else []


def _not_idempotent(again: Sequence[tuple[str, str]]) -> list[Finding]:
    differing = [pair for pair in again if pair[0] != pair[1]]
    sentence = f"is not idempotent: {len(differing):,} of its results change when they are normalized again"
    return [Finding("idempotence", sentence, _examples(differing))] if differing else []


def _broken_turkish(pairs: Sequence[tuple[str, str]]) -> list[Finding]:
    broken = [pair for pair in pairs if "İ" in pair[0] and "i\u0307" in pair[1]]
    sentence = "writes the Turkish letter İ as two characters; fold_case with language tr is for Turkish"
    return [Finding("turkish", sentence, _examples(broken))] if broken else []


def _examples(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(islice(pairs, MOST_EXAMPLES))


def _count_words(pair: tuple[str, str], normalize: Callable[[str], str]) -> tuple[Counter[str], Counter[str]]:
    """Words of a text by script, before and after, without those that its digits and signs become."""
    text, changed = pair
    before, after = _words(text), _words(changed)
    if after - before:
        spelled = Counter[str]()
        for word in filter(_has_number, text.split()):
            spelled += _words(normalize(word)) - _words(word)
        # Of other words there may have become more, or fewer.
        after = (after & before) + ((after - before) - spelled)
    return before, after


def _has_number(word: str) -> bool:
    return any(unicodedata.category(character)[0] in "NS" for character in word)


def _words(text: str) -> Counter[str]:
    """Words that have a letter or mark, by its script."""
    return Counter(script for word in text.split() if (script := next(filter(None, map(_script, word)), "")))


def _letters(text: str) -> Counter[str]:
    """Letters and marks by script."""
    scripts = Counter[str]()
    for character, number in Counter(text).items():
        if script := _script(character):
            scripts[script] += number
    return scripts


@cache
def _script(character: str) -> str:
    """Script of a letter or mark; marks that belong to no script are none, as they may be composed with a letter.

    Other forms of a letter, such as half-width ones, belong to its script.
    """
    if unicodedata.category(character)[0] not in "LM":
        return ""
    script = unicodedata.name(unicodedata.normalize("NFKC", character).strip()[:1], "").partition(" ")[0]
    return "" if script in _OF_ALL_SCRIPTS else script
