"""Sets of steps; each has its own effect only, whatever other steps were applied before it."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from misread.alignment.operations import changed_blocks, find_operations
from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.io.names import split_names
from misread.normalize import Normalizer
from misread.normalize.steps import STEPS
from misread.text.nouns import list_in_words
from misread.text.words import split_words, strip_ends

Change = Callable[[str], str]

MOST_STEPS: Final = 8
"""Most steps: texts are scored under each subset of them."""

_SIGNS: Final = "$€£¢%+-"
_NUMERIC: Final = re.compile(r"[0-9$€£¢]")
_LOOSE: Final = re.compile(r"(?<![0-9])[.,%]|[.,](?![0-9])|[$€£¢](?![0-9])|[-+](?![$€£¢]?[0-9])|(?<=[\w%])[-+]")

base: Final[Change] = Normalizer("base", ["nfc", "collapse_whitespace"])
"""What is done before all steps and again after them."""


def change_words_alone(change: Change, text: str, *, is_numeric: bool = False) -> str:
    """Apply a step of lower-case English to the words of a text, and leave all that it does not change as it is.

    Words are aligned in lower case without punctuation at their ends; equal ones keep their form, and the first letter
    of changed text keeps its case. `is_numeric` leaves out changes without a digit or sign of currency.

    >>> from misread.normalize.steps.english.numbers import read_english_numbers
    >>> change_words_alone(read_english_numbers, "JOHN paid five dollars, OK?", is_numeric=True)
    'JOHN paid $5 OK?'
    """
    words = split_words(text)
    after, blocks = _change_cores(change, " ".join(_core(word) for word in words))
    made, position = [], 0
    for start, end, new_start, new_end in blocks:
        old, new = words[start:end], list(after[new_start:new_end])
        made += words[position:start]
        position = end
        if is_numeric and not _NUMERIC.search(" ".join(old + new)):
            new = old
        elif new and old and old[0][:1].isupper():
            new[0] = new[0][:1].upper() + new[0][1:]
        made += new
    return " ".join(made + words[position:])


@lru_cache(maxsize=256)
def _change_cores(change: Change, text: str) -> tuple[Sequence[str], Sequence[tuple[int, int, int, int]]]:
    """Changed words, and each block that is not as it was: its words before, from and to, and those after."""
    changed = change(text)
    if changed == text:
        return [], []
    return split_words(changed), changed_blocks(find_operations([text], [changed], unit="word").codes)


@lru_cache(maxsize=1 << 16)
def _core(word: str) -> str:
    """A word in lower case without punctuation at its ends, unless it is nothing else."""
    return strip_ends(word, _is_mark).lower()


def _is_mark(character: str) -> bool:
    return character not in _SIGNS and unicodedata.category(character)[0] in "PS"


def _steps(*steps: object) -> Change:
    # A method has a hash, which a step with settings has not.
    return Normalizer("part", steps).__call__  # type: ignore[arg-type]


def _remove_marks(text: str) -> str:
    """Punctuation apart from what belongs to a number."""
    return _LOOSE.sub(" ", _KEEPING_NUMBERS(text))


_PUNCTUATION: Final = {"step": "remove_punctuation", "categories": ("P", "S"), "by": " "}
_KEEPING_NUMBERS: Final = _steps("straighten_quotes", "unify_dashes", {**_PUNCTUATION, "keep": ".," + _SIGNS})
_CONTRACTIONS: Final = _steps("expand_english_contractions", "expand_english_titles")
_FILLERS: Final = _steps({"step": "remove_fillers", "language": "en"})
_BRACKETS: Final = _steps({"step": "remove_bracketed", "brackets": ("[]", "<>", "()")})
_LETTERS: Final = _steps({"step": "remove_diacritics", "scripts": ("latin",)}, "replace_special_letters")

SETS: Final[Mapping[str, Mapping[str, Change]]] = {
    "english": {
        "case": _steps("fold_case"),
        "contractions": partial(change_words_alone, _CONTRACTIONS),
        "fillers": lambda text: change_words_alone(_FILLERS, _BRACKETS(text)),
        "punctuation": _remove_marks,
        "numbers": partial(change_words_alone, _steps("read_english_numbers"), is_numeric=True),
        "spelling": lambda text: change_words_alone(_steps("spell_american"), _LETTERS(text)),
    },
    "ocr": {
        "quotes and dashes": _steps("straighten_quotes", "unify_dashes", "expand_ellipses"),
        "letter forms": _steps("expand_ligatures", "replace_letter_forms", "replace_long_s"),
        "diacritics": _steps("remove_diacritics"),
        "punctuation": _steps({"step": "remove_punctuation", "categories": ("P",)}),
        "case": _steps("fold_case"),
        "white space": lambda text: "".join(split_words(text)),
    },
}
"""Steps of each set by their names, in the order in which they are applied."""


def find_steps(steps: str | Sequence[str]) -> Mapping[str, Change]:
    """Steps of a set, or those of normalizers by their names.

    Raises
    ------
    ConfigurationError
        If there is no step, more than `MOST_STEPS`, or one that acts on one side only.
    UnknownNameError
        If a step is unknown.
    """
    if isinstance(steps, str) and steps in SETS:
        return SETS[steps]
    names = split_names(steps) if isinstance(steps, str) else list(steps)
    if not names:
        raise ConfigurationError(f"no step to decompose by; name a set ({', '.join(SETS)}) or steps of normalizers.")
    if len(names) > MOST_STEPS:
        raise ConfigurationError(
            f"{len(names)} steps, expected at most {MOST_STEPS}, as texts are scored under each subset of them; "
            f"the sets are {list_in_words([*SETS])}."
        )
    for name in names:
        if name in SETS:
            raise ConfigurationError(f"{name} is a set of steps to decompose by: name it alone.")
        check_choice(f"set ({list_in_words([*SETS], 'or')}) or step", name, STEPS, catalogue="steps")
    fitted = next((name for name in names if STEPS[name].is_fitted), None)
    if fitted:
        raise ConfigurationError(f"step {fitted!r} is fitted to all outputs of a system: it is no part.")
    made: dict[str, Change] = {}
    for name in names:
        number = sum(other.split(" (")[0] == name for other in made)
        made[f"{name} ({number + 1})" if number else name] = _steps(name)
    return made
