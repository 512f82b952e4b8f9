"""Steps from regular expressions of the configuration."""

from functools import cache
from typing import Any, Final

from misread.errors import ConfigurationError, MissingDependencyError

SECONDS: Final = 1.0
"""Time that one pattern may take on one text."""


def replace_pattern(text: str, *, pattern: str, replacement: str = "", ignore_case: bool = False) -> str:
    r"""Replace all matches of a regular expression, in the notation of the package regex (`\p{L}`, groups as `\1`).

    Raises ConfigurationError if it cannot be read, or takes too long on a text: then it tries too many ways to match.

    >>> replace_pattern("p. 12, p. 13", pattern=r"p\. (\d+)", replacement=r"\1")
    '12, 13'
    """
    compiled = _compile(pattern, replacement, ignore_case)
    try:
        return str(compiled.sub(replacement, text, timeout=SECONDS))
    except TimeoutError:
        raise ConfigurationError(
            f"pattern {pattern!r} takes more than {SECONDS:g} s on a text of {len(text):,} characters, as it tries too "
            "many ways to match; write it without one repetition inside another."
        ) from None


@cache
def _compile(pattern: str, replacement: str, ignore_case: bool) -> Any:
    try:
        import regex
    except ImportError:
        raise MissingDependencyError("patterns need regex: pip install 'misread[normalize]'.") from None
    try:
        compiled = regex.compile(pattern, regex.V1 | (regex.IGNORECASE if ignore_case else 0))
    except (regex.error, OverflowError, RecursionError) as error:
        raise ConfigurationError(f"pattern {pattern!r} is not a valid regular expression: {error}.") from None
    try:
        # A template is read only when something matches.
        regex.sub(f"(?:{pattern})?", replacement, "", count=1, flags=regex.V1)
    except (regex.error, IndexError) as error:
        raise ConfigurationError(f"replacement {replacement!r} does not fit pattern {pattern!r}: {error}.") from None
    # What tries too many ways does so on texts such as these; no useful pattern takes a tenth of a second there.
    for probe in ("a" * 2000 + "!", "1" * 2000 + "!", " " * 2000 + "!", "ab " * 700 + "!"):
        try:
            compiled.sub("", probe, timeout=SECONDS / 4)
        except TimeoutError:
            raise ConfigurationError(
                f"pattern {pattern!r} tries too many ways to match: {len(probe):,} characters such as {probe[:4]!r} "
                "take too long; write it without one repetition inside another."
            ) from None
    return compiled
