"""The line that identifies a number: what was counted, on which text, by which rules, with which version."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, unquote

from misread.errors import InputValueError
from misread.version import __version__

_VERSION = "v"


class Signature:
    """Name of a metric, and the facts that its value depends on, the version last; tables print its `str()`.

    In the line, `%`, `|` and unprintable characters are percent-encoded. After Post (2018), A call for clarity in
    reporting BLEU scores.

    It is no dataclass, so that files hold the line (`misread.io.json_files`).
    """

    __slots__ = ("facts", "name")

    def __init__(self, name: str, facts: Mapping[str, str]) -> None:
        self.name = name
        self.facts = facts

    @classmethod
    def of(cls, name: str, facts: Mapping[str, str]) -> Signature:
        """Signature of these facts and the running version."""
        return cls(name, {**facts, _VERSION: __version__})

    @classmethod
    def parse(cls, line: str) -> Signature:
        """Parse a line; raises InputValueError if it is not a signature."""
        name, *parts = line.split("|")
        try:
            facts = {key: _decode(value) for key, value in (part.split(":", 1) for part in parts)}
            return cls(_decode(name), facts)
        except ValueError:
            raise InputValueError(
                f"{line!r} is not a signature, expected a name and facts, such as cer|unit:char|v:1.0."
            ) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and (self.name, self.facts) == (other.name, other.facts)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"<Signature {self}>"

    def __str__(self) -> str:
        return "|".join([_encode(self.name), *(f"{key}:{_encode(value)}" for key, value in self.facts.items())])

    def with_facts(self, facts: Mapping[str, str]) -> Signature:
        """Signature with further facts, before the version."""
        joined = {**self.facts, **facts}
        if _VERSION in joined:
            joined[_VERSION] = joined.pop(_VERSION)
        return Signature(self.name, joined)

    def replace(self, **facts: str) -> Signature:
        """Signature with other values of its facts."""
        return Signature(self.name, {key: facts.get(key, value) for key, value in self.facts.items()})


def _encode(text: str) -> str:
    """Percent-encode characters that would end a fact or the line, and the per cent sign itself."""
    return "".join(
        quote(sign, safe="", errors="surrogatepass") if sign in "%|" or not sign.isprintable() else sign
        for sign in text
    )


def _decode(text: str) -> str:
    return unquote(text, errors="surrogatepass")
