"""Regular expressions that users write, matched with a time limit: some would take hours on a name of 40 letters."""

from collections.abc import Sequence
from time import monotonic
from typing import Any, Final

from misread.errors import ConfigurationError

SECONDS: Final = 2.0
"""Time limit of one expression on all its texts."""

_SHOWN: Final = 40


def compile_pattern(pattern: str, *, name: str) -> Any:
    """The expression, in the syntax of Python's `re`; raises ConfigurationError with the name of the setting."""
    # It is large, and few commands have an expression.
    import regex

    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError) as error:
        raise ConfigurationError(f"{name} {pattern!r} is not a regular expression ({error}).") from None


def search(expression: Any, text: str, *, name: str, seconds: float, limit: float | None = None) -> Any:
    """First match or None; raises ConfigurationError after `seconds`, the rest of `limit`."""
    try:
        # A time limit of 0 or less would be none.
        return expression.search(text, timeout=max(seconds, 1e-3))
    except TimeoutError:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        raise ConfigurationError(
            f"{name} {expression.pattern!r} takes longer than {limit or seconds:g} s on {shown!r}, which is the limit; "
            "rewrite it without nested or ambiguous repetitions."
        ) from None


def take_groups(pattern: str, texts: Sequence[str], *, name: str, what: str) -> dict[str, list[str]]:
    """Matches of the groups of an expression in every text, by the names of the groups; "" is a single unnamed one.

    `name` is the setting, and `what` it finds is a cluster or a group. Raises ConfigurationError if the expression has
    no group, or several that are not all named, or finds nothing in one of the texts, which it names.
    """
    expression = compile_pattern(pattern, name=name)
    names = {number: group for group, number in expression.groupindex.items()}
    if not expression.groups or (expression.groups > 1 and len(names) < expression.groups):
        raise ConfigurationError(
            f"{name} {pattern!r} has {expression.groups or 'no'} group{'' if expression.groups == 1 else 's'}; put the "
            f"{what} into one, (...), or several into groups with names, (?P<NAME>...)."
        )
    matches_by_group: dict[str, list[str]] = {names.get(number, ""): [] for number in range(1, expression.groups + 1)}
    lacking = []
    end = monotonic() + SECONDS
    for text in texts:
        match = search(expression, text, name=name, seconds=end - monotonic(), limit=SECONDS)
        taken = match.groups() if match else [None]
        if any(value is None or not value.strip() for value in taken):
            lacking.append(text)
            continue
        for values, value in zip(matches_by_group.values(), taken, strict=True):
            values.append(value)
    if lacking:
        more = f" and {len(lacking) - 1:,} more" if len(lacking) > 1 else ""
        raise ConfigurationError(
            f"{name} {pattern!r} finds no {what} in {lacking[0]!r}{more}, of {len(texts):,}; every segment needs one."
        )
    return matches_by_group


def take_group(pattern: str, texts: Sequence[str], *, name: str, what: str) -> tuple[str, list[str]]:
    """Name ("" if it has none) and matches of the only group of an expression; errors as in `take_groups`."""
    matches_by_group = take_groups(pattern, texts, name=name, what=what)
    if len(matches_by_group) > 1:
        raise ConfigurationError(f"{name} {pattern!r} has {len(matches_by_group)} groups, expected one for the {what}.")
    return next(iter(matches_by_group.items()))
