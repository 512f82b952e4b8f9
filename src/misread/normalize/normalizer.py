"""A normalizer: named steps in a fixed order, identified by what they are."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar, cast

from misread.alternatives import change_words, parse_alternatives, render_alternatives
from misread.errors import UnknownNameError
from misread.files.text import split_lines
from misread.normalize.deferred import DeferredTexts
from misread.normalize.steps import STEPS, collapse_whitespace, is_collapsed
from misread.records import Capture, NormalizedTexts, TextPairs

Text = TypeVar("Text", bound="str | None")


@dataclass(frozen=True)
class Normalizer:
    r"""What is done to both sides before they are compared.

    Parameters
    ----------
    name : str
        How people call it.
    steps : sequence of str
        Names of steps, done in this order.

    Raises
    ------
    UnknownNameError
        If a step is unknown; lists those there are.

    Examples
    --------
    >>> Normalizer("lower", ["collapse_whitespace", "lower_case"])("  Zwei\nWORTE ")
    'zwei worte'
    """

    name: str
    steps: Sequence[str] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        for step in self.steps:
            if step not in STEPS:
                raise UnknownNameError("step", step, STEPS, where=f"normalizer {self.name!r}")

    def __call__(self, text: str) -> str:
        for step in self.steps:
            text = STEPS[step](text)
        return text

    @property
    def signature(self) -> str:
        """Name and a hash of the steps: two normalizers of one name but other steps are told apart."""
        if not self.steps:
            return self.name
        digest = hashlib.sha256("\n".join(self.steps).encode()).hexdigest()[:4]
        return f"{self.name}@{digest}"

    def apply(self, texts: TextPairs, *, by_line: bool = False, alternatives: str = "") -> TextPairs:
        """Normalize references and hypotheses; a missing hypothesis stays missing.

        Parameters
        ----------
        texts : TextPairs
            Both sides.
        by_line : bool
            Whether each line is normalized by itself.
        alternatives : {"", "references", "both"}
            Which sides may read in several ways; there, every run of words between the marks is normalized by itself.

        Returns
        -------
        TextPairs
            Lines are normalized when they are first looked at: few metrics ask for them.
        """
        plain = self._change_lines if by_line else self._change_texts
        written = self._change_written
        references = partial(_change, texts.references, written if alternatives else plain)
        hypotheses = partial(_change, texts.hypotheses, written if alternatives == "both" else plain)
        if by_line:
            return TextPairs(DeferredTexts(len(texts), references), DeferredTexts(len(texts), hypotheses))
        return TextPairs(references(), hypotheses())

    def with_alternatives(self, text: str) -> str:
        """Normalize what stands between the marks of `misread.alternatives`.

        Examples
        --------
        >>> Normalizer("lower", ["lower_case"]).with_alternatives("So { I WILL / I'LL } (NOW)")
        "so { i will / i'll } (now)"
        """
        return render_alternatives(change_words(parse_alternatives(text), self))

    def by_line(self, text: str) -> str:
        r"""Normalize each line by itself, so that no step can join lines; every line ends in a newline then.

        Examples
        --------
        >>> Normalizer("whitespace", ["collapse_whitespace"]).by_line(" two  words \n\n third\tline\n")
        'two words\n\nthird line\n'
        """
        if text and "\n" not in text and "\r" not in text:
            return f"{self(text)}\n"
        return "".join(f"{self(line)}\n" for line in split_lines(text))

    def _change_texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Normalize every text; the same sequence where that changes none."""
        is_clean = not self.steps or (self._only_collapses and is_collapsed(texts))
        return texts if is_clean else list(map(self, texts))

    def _change_lines(self, texts: Sequence[str]) -> Sequence[str]:
        """Normalize every line of every text."""
        if self._only_collapses and is_collapsed(texts):
            # Every text is one line.
            return [text and f"{text}\n" for text in texts]
        return list(map(self.by_line, texts))

    def _change_written(self, texts: Sequence[str]) -> Sequence[str]:
        """Normalize every text in the notation of alternatives."""
        return list(map(self.with_alternatives, texts))

    @property
    def _only_collapses(self) -> bool:
        """Whether it can change white space alone."""
        return set(self.steps) <= {collapse_whitespace.__name__}


NORMALIZERS: Mapping[str, Normalizer] = {
    normalizer.name: normalizer
    for normalizer in (
        Normalizer("none"),
        Normalizer("whitespace", ("collapse_whitespace",)),
        Normalizer("lower", ("collapse_whitespace", "lower_case")),
        Normalizer("unfenced", ("unwrap_code_fence",)),
    )
}
"""Normalizers known by name without a configuration; conf/normalizer/ spells out the same."""


def get_normalizer(name: str) -> Normalizer:
    """Look a normalizer up by name.

    Raises
    ------
    UnknownNameError
        If there is none of that name; lists those there are.
    """
    if name not in NORMALIZERS:
        raise UnknownNameError("normalizer", name, NORMALIZERS)
    return NORMALIZERS[name]


def normalize(capture: Capture, normalizer: Normalizer) -> NormalizedTexts:
    """Put normalized texts beside the raw ones of a capture.

    Parameters
    ----------
    capture : Capture
        Texts as they came.
    normalizer : Normalizer
        What to do to both sides.

    Returns
    -------
    NormalizedTexts
    """
    alternatives = capture.origin.alternatives
    return NormalizedTexts(
        capture.origin,
        capture.segments,
        capture.texts,
        normalizer.apply(capture.texts, alternatives=alternatives),
        normalizer.apply(capture.texts, by_line=True, alternatives=alternatives),
        capture.reasons,
        normalizer.signature,
    )


def _change(texts: Sequence[Text], change: Callable[[Sequence[str]], Sequence[str]]) -> Sequence[Text]:
    """Change the texts that are there; a missing one stays missing."""
    if None not in texts:
        return cast("Sequence[Text]", change(cast("Sequence[str]", texts)))
    changed = iter(change([text for text in texts if text is not None]))
    return cast("Sequence[Text]", [text if text is None else next(changed) for text in texts])
