"""Normalizers as named steps in a fixed order, identified by what the steps do."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from misread.checks.choices import check_choice
from misread.files.text import split_lines
from misread.normalize.steps import STEPS, Step, collapse_whitespace, is_collapsed
from misread.provenance.definitions import digest_definition
from misread.provenance.plugin_import import find_text_function
from misread.provenance.plugins import describe_plugin
from misread.records import Capture, NormalizedTexts, TextPairs
from misread.text.alternatives import change_words, parse_alternatives, render_alternatives
from misread.text.deferred import DeferredTexts


@dataclass(frozen=True)
class Normalizer:
    r"""Changes made to both sides before they are compared.

    Parameters
    ----------
    name : str
        Name in configurations and results.
    steps : sequence of str
        Names of steps, applied in this order; a function of a plug-in by its dotted name, such as `study.steps.long_s`.

    Raises
    ------
    UnknownNameError
        If a step is unknown; lists the known ones.
    ConfigurationError
        If a dotted name is not a function of a plug-in.

    Examples
    --------
    >>> Normalizer("lower", ["collapse_whitespace", "lower_case"])("  Zwei\nWORTE ")
    'zwei worte'
    """

    name: str
    steps: Sequence[str] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        for step in self.steps:
            if "." in step:
                find_text_function(step)
            else:
                check_choice("step", step, STEPS, where=f"normalizer {self.name!r}")

    def __call__(self, text: str) -> str:
        for step in self.steps:
            text = _find_step(step)(text)
        return text

    @property
    def signature(self) -> str:
        """Name and a hash of what the steps do, which differs for other steps and other versions of a step.

        Only a change of code changes it: not a docstring, nor where a step is defined.
        """
        if not self.steps:
            return self.name
        definitions = "\n".join(digest_definition(_find_step(step)) for step in self.steps)
        return f"{self.name}@{hashlib.sha256(definitions.encode()).hexdigest()[:4]}"

    def apply(self, texts: TextPairs, *, alternatives: str = "") -> TextPairs:
        """Normalize references and hypotheses; a missing hypothesis stays missing.

        Parameters
        ----------
        texts : TextPairs
            Both sides.
        alternatives : {"", "references", "both"}
            Sides with alternatives; there, every run of words between the marks is normalized by itself.

        Returns
        -------
        TextPairs
        """
        references = self._apply(texts.references, has_alternatives=bool(alternatives))
        hypotheses = self._apply(texts.hypotheses, has_alternatives=alternatives == "both")
        return TextPairs(cast("Sequence[str]", references), hypotheses)

    def apply_by_line(self, texts: TextPairs, whole: TextPairs, *, alternatives: str = "") -> TextPairs:
        """Normalize each line by itself; a side with alternatives has no lines and is taken as a whole.

        Parameters
        ----------
        texts : TextPairs
            Both sides.
        whole : TextPairs
            Result of `apply`, so that a text of one line is not normalized again.
        alternatives : {"", "references", "both"}
            As in `apply`.

        Returns
        -------
        TextPairs
            Computed on first access, because few metrics use lines.
        """
        references: Sequence[str | None] = whole.references
        hypotheses = whole.hypotheses
        if not alternatives:
            references = DeferredTexts(len(texts), partial(self._apply_by_line, texts.references, whole.references))
        if alternatives != "both":
            hypotheses = DeferredTexts(len(texts), partial(self._apply_by_line, texts.hypotheses, whole.hypotheses))
        return TextPairs(cast("Sequence[str]", references), hypotheses)

    def _apply(self, texts: Sequence[str | None], *, has_alternatives: bool) -> Sequence[str | None]:
        if not has_alternatives and self._leaves_alone(texts):
            return texts
        changes = [self.with_alternatives] if has_alternatives else [_find_step(step) for step in self.steps]
        for change in changes:
            texts = [None if text is None else change(text) for text in texts]
        return texts

    def _apply_by_line(self, texts: Sequence[str | None], whole: Sequence[str | None]) -> Sequence[str | None]:
        return [
            None if text is None else f"{one}\n" if _is_one_line(text) else self.by_line(text)
            for text, one in zip(texts, whole, strict=True)
        ]

    def _leaves_alone(self, texts: Sequence[str | None]) -> bool:
        """Whether one scan of all texts shows that no step changes any."""
        only_collapses = set(self.steps) == {collapse_whitespace.__name__}
        return not self.steps or (only_collapses and None not in texts and is_collapsed(cast("Sequence[str]", texts)))

    def with_alternatives(self, text: str) -> str:
        """Normalize the words between the marks of `misread.text.alternatives`.

        Examples
        --------
        >>> Normalizer("lower", ["lower_case"]).with_alternatives("So { I WILL / I'LL } (NOW)")
        "so { i will / i'll } (now)"
        """
        return render_alternatives(change_words(parse_alternatives(text), self))

    def by_line(self, text: str) -> str:
        r"""Normalize each line by itself, so that no step can join lines; every line of the result ends in a newline.

        Examples
        --------
        >>> Normalizer("whitespace", ["collapse_whitespace"]).by_line(" two  words \n\n third\tline\n")
        'two words\n\nthird line\n'
        """
        if _is_one_line(text):
            return f"{self(text)}\n"
        return "".join(f"{self(line)}\n" for line in split_lines(text))


NORMALIZERS: Mapping[str, Normalizer] = {
    normalizer.name: normalizer
    for normalizer in (
        Normalizer("none"),
        Normalizer("whitespace", ("collapse_whitespace",)),
        Normalizer("lower", ("collapse_whitespace", "lower_case")),
        Normalizer("unfenced", ("unwrap_code_fence",)),
    )
}
"""Normalizers known by their names."""


def get_normalizer(name: str) -> Normalizer:
    """Look a normalizer up by name."""
    check_choice("normalizer", name, NORMALIZERS)
    return NORMALIZERS[name]


def normalize(capture: Capture, normalizer: Normalizer) -> NormalizedTexts:
    """Normalize the texts of a capture, and keep the raw ones."""
    alternatives = capture.origin.alternatives
    normalized = normalizer.apply(capture.texts, alternatives=alternatives)
    return NormalizedTexts(
        capture.origin,
        capture.segments,
        raw=capture.texts,
        normalized=normalized,
        normalized_lines=normalizer.apply_by_line(capture.texts, normalized, alternatives=alternatives),
        reasons=capture.reasons,
        normalizer=signature_of(normalizer),
    )


def signature_of(normalizer: Normalizer) -> str:
    """Signature of a normalizer, with those of the plug-ins that its class and its steps come from."""
    plugins = [describe_plugin(normalizer), *(describe_plugin(_find_step(step)) for step in normalizer.steps)]
    return "+".join([normalizer.signature, *dict.fromkeys(filter(None, plugins))])


def _find_step(name: str) -> Step:
    return find_text_function(name) if "." in name else STEPS[name]


def _is_one_line(text: str) -> bool:
    """Whether a text is not empty and has no break, not even at its end."""
    return text != "" and "\n" not in text and "\r" not in text
