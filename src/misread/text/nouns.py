"""English nouns and lists in sentences, among them names of clusters that people chose."""

from collections.abc import Sequence


def plural(noun: str) -> str:
    """Write the plural of a regular noun.

    >>> plural("page"), plural("box"), plural("story"), plural("day")
    ('pages', 'boxes', 'stories', 'days')
    """
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in ("", *"aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def count_of(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count_of(1, "box"), count_of(12_000, "box")
    ('1 box', '12,000 boxes')
    """
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def list_in_words(words: Sequence[str], conjunction: str = "and") -> str:
    """Words with commas, and the conjunction before the last.

    >>> list_in_words(["1"]), list_in_words(["1", "4", "16"]), list_in_words(["a", "b"], "or")
    ('1', '1, 4 and 16', 'a or b')
    """
    *others, last = words
    return f"{', '.join(others)} {conjunction} {last}" if others else last
