"""English nouns in sentences, among them names of clusters that people chose."""


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
