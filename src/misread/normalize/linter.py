"""Changes that a normalizer makes to words and letters, perhaps without intention."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from typing import Final

from misread.data.segment_table import TextPairs
from misread.normalize.normalizer import Normalizer
from misread.normalize.step import Side

MOST_EXAMPLES: Final = 3
# Scripts whose blanks divide no words.
_UNSPACED: Final = {"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"}
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
    sides: dict[Side, list[tuple[str, str]]] = {
        "references": [(text, normalizer(text, side="references")) for text in texts.references],
        "hypotheses": [(text, normalizer(text, side="hypotheses")) for text in texts.hypotheses if text is not None],
    }
    pairs = [(side, pair) for side, of_side in sides.items() for pair in of_side]
    again = [(changed, normalizer(changed, side=side)) for side, (_, changed) in pairs]
    words = [(pair, *_count_words(pair, partial(normalizer, side=side))) for side, pair in pairs]
    letters = [(pair, _letters(pair[0]), _letters(pair[1])) for _, pair in pairs]
    (words_before, words_after), (letters_before, letters_after) = map(_add_up, (words, letters))
    scripts = {
        script: ScriptChange(
            (words_before[script], words_after[script]), (letters_before[script], letters_after[script])
        )
        for script in sorted(letters_before | letters_after)
    }
    findings = _unlike_sides(normalizer)
    for script, change in scripts.items():
        number, left = change.words
        fewest = 0 if script in _UNSPACED else number / limits.words_ratio
        if number and not fewest <= left <= number * limits.words_ratio:
            sentence = f"makes {left:,} words of {number:,} in the script {script.title()}"
            findings.append(Finding("words", sentence, _examples(words, script), script=script))
        number, left = change.letters
        if number and left < number * (1 - limits.lost_letters):
            lost = (number - left) / number
            sentence = f"drops {lost:.0%} of the letters and marks of the script {script.title()}"
            findings.append(Finding("letters", sentence, _examples(letters, script), script=script))
    for side, of_side in sides.items():
        emptied = [pair for pair in of_side if not pair[1].strip() and any(map(str.isalnum, pair[0]))]
        called = side if len(emptied) != 1 else {"references": "reference", "hypotheses": "hypothesis"}[side]
        findings += _of_pairs("empty", f"empties {len(emptied):,} {called}", emptied)
    differing = [pair for pair in again if pair[0] != pair[1]]
    sentence = f"is not idempotent: {len(differing):,} of its results change when they are normalized again"
    findings += _of_pairs("idempotence", sentence, differing)
    broken = [pair for _, pair in pairs if "İ" in pair[0] and "i\u0307" in pair[1]]
    sentence = "writes the Turkish letter İ as two characters; fold_case with language tr is for Turkish"
    return LintResult(scripts, findings + _of_pairs("turkish", sentence, broken))


def _unlike_sides(normalizer: Normalizer) -> list[Finding]:
    return [
        Finding("sides", f"applies {step.name} to {step.side} only, so that the two sides are normalized differently")
        for step in normalizer.bound
        if step.side is not None
    ]


def _of_pairs(rule: str, sentence: str, pairs: Sequence[tuple[str, str]]) -> list[Finding]:
    """The finding of these pairs, if there are any."""
    return [Finding(rule, sentence, tuple(pairs[:MOST_EXAMPLES]))] if pairs else []


_Counted = tuple[tuple[str, str], Counter[str], Counter[str]]
"""A text before and after, with its words or letters by script before and after."""


def _add_up(rows: Sequence[_Counted]) -> tuple[Counter[str], Counter[str]]:
    before, after = Counter[str](), Counter[str]()
    for _, of_text, of_changed in rows:
        before.update(of_text)
        after.update(of_changed)
    return before, after


def _examples(rows: Sequence[_Counted], script: str) -> Sequence[tuple[str, str]]:
    """The first pairs in which a script has another number."""
    return (*islice((pair for pair, before, after in rows if before[script] != after[script]), MOST_EXAMPLES),)


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
    """Words that have a letter or mark, by the script of the first one."""
    scripts = (next((script for character in word for script in _scripts(character)), "") for word in text.split())
    return Counter(filter(None, scripts))


def _letters(text: str) -> Counter[str]:
    """Letters and marks by script."""
    letters = Counter[str]()
    for character, number in Counter(text).items():
        for script in _scripts(character):
            letters[script] += number
    return letters


@cache
def _scripts(character: str) -> Sequence[str]:
    """Scripts of the letters and marks that a letter or mark is made of, so that no form of it has more than another.

    Marks of no script, points and accents that a script may leave out, and strokes that lengthen letters have none.
    """
    if unicodedata.category(character)[0] not in "LM":
        return ()
    parts = [part for part in unicodedata.normalize("NFKD", character) if unicodedata.category(part)[0] in "LM"]
    scripts = (unicodedata.name(part, "").partition(" ")[0] for part in parts if not _is_optional(part))
    return [script for script in scripts if script and script not in _OF_ALL_SCRIPTS]


def _is_optional(character: str) -> bool:
    """Whether a script is written without: points of Hebrew, Arabic and Syriac, accents above and below, tatweel.

    Unicode gives them the combining classes 10 to 36 and from 200 on, and others to vowel signs and tones.
    """
    mark_class = unicodedata.combining(character)
    return 10 <= mark_class <= 36 or mark_class >= 200 or character in "\u0640\u07fa"
