"""Normalizers as named steps in a fixed order, identified by what the steps do; or one for each label of a column."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import takewhile
from typing import Any, Final, cast

from misread.data.segment_table import TextPairs
from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.io.text import split_lines
from misread.normalize.profiles import PROFILES
from misread.normalize.step import Side, Step, StepFacts
from misread.normalize.steps import STEPS
from misread.normalize.steps.white_space import collapse_whitespace, is_collapsed
from misread.text.alternatives import change_words, parse_alternatives, render_alternatives
from misread.text.lazy_texts import DeferredTexts

# Nothing is known of a plug-in's function in advance.
_OF_PLUGIN: Final = StepFacts(home="", changes_words=True, one_sided=True)


@dataclass(frozen=True)
class Normalizer:
    r"""Changes made to both sides before they are compared.

    Parameters
    ----------
    name : str
        Name in configurations and results.
    steps : sequence of str or mapping
        Steps in the order in which they are applied: names, or mappings with the name as `step` and its settings. One
        that may act on one side only takes that as `side`, "references" or "hypotheses". A function
        of a plug-in has its dotted name, such as `study.steps.long_s`.

    Raises
    ------
    UnknownNameError
        If a step, a setting or one of its choices is unknown; lists the known ones.
    ConfigurationError
        If a setting is lacking or cannot be used, such as a regular expression that is not valid,
        or a dotted name is not a function of a plug-in.

    Examples
    --------
    >>> Normalizer("lower", ["collapse_whitespace", "lower_case"])("  Zwei\nWORTE ")
    'zwei worte'
    >>> Normalizer("plain", [{"step": "remove_punctuation", "keep": "%"}])("5 %, or so.")
    '5 % or so'
    """

    name: str
    steps: Sequence[str | Mapping[str, Any]] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        # Raises now, before any work, for whatever cannot be used.
        _ = self.bound

    @cached_property
    def bound(self) -> tuple[Step, ...]:
        """Steps with their settings, in their order."""
        where = f"normalizer {self.name!r}"
        return tuple(_bind(step, where) for step in self.steps)

    def __call__(self, text: str, *, side: Side | None = None) -> str:
        """Apply all steps or, for a side, those that act on it."""
        return _change(text, self.bound, side)

    def trace(self, text: str, *, side: Side | None = None) -> Iterator[tuple[str, str]]:
        """Every step with the text after it.

        Examples
        --------
        >>> list(Normalizer("lower", ["collapse_whitespace", "lower_case"]).trace("A  B"))
        [('collapse_whitespace', 'A B'), ('lower_case', 'a b')]
        """
        for step in self.bound:
            if side is None or step.side in (None, side):
                text = step.change(text)
                yield step.name, text

    @property
    def signature(self) -> str:
        """Name and a hash of what the steps do, which differs for other steps and other versions of a step.

        Only a change of code changes it: not a docstring, nor where a step is defined.
        """
        if not self.steps:
            return self.name
        definitions = "\n".join(step.definition for step in self.bound)
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
        references = self._apply(texts.references, has_alternatives=bool(alternatives), side="references")
        hypotheses = self._apply(texts.hypotheses, has_alternatives=alternatives == "both", side="hypotheses")
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
            references = DeferredTexts(
                len(texts), partial(self._apply_by_line, texts.references, whole.references, "references")
            )
        if alternatives != "both":
            hypotheses = DeferredTexts(
                len(texts), partial(self._apply_by_line, texts.hypotheses, whole.hypotheses, "hypotheses")
            )
        return TextPairs(cast("Sequence[str]", references), hypotheses)

    def _apply(self, texts: Sequence[str | None], *, has_alternatives: bool, side: Side) -> Sequence[str | None]:
        if not has_alternatives and self._leaves_alone(texts):
            return texts
        changes = [step.change for step in self.bound if step.side in (None, side)]
        if has_alternatives:
            changes = [partial(self.with_alternatives, side=side)]
        for change in changes:
            texts = [None if text is None else change(text) for text in texts]
        return texts

    def _apply_by_line(
        self, texts: Sequence[str | None], whole: Sequence[str | None], side: Side
    ) -> Sequence[str | None]:
        return [
            None if text is None else f"{normalized}\n" if _is_one_line(text) else self.by_line(text, side=side)
            for text, normalized in zip(texts, whole, strict=True)
        ]

    def _leaves_alone(self, texts: Sequence[str | None]) -> bool:
        """Whether one scan of all texts shows that no step changes any."""
        only_collapses = [step.name for step in self.bound] == [collapse_whitespace.__name__]
        return not self.steps or (only_collapses and None not in texts and is_collapsed(cast("Sequence[str]", texts)))

    def with_alternatives(self, text: str, *, side: Side | None = None) -> str:
        """Normalize the words between the marks of `misread.text.alternatives`.

        Examples
        --------
        >>> Normalizer("lower", ["lower_case"]).with_alternatives("So { I WILL / I'LL } (NOW)")
        "so { i will / i'll } (now)"
        """
        return render_alternatives(change_words(parse_alternatives(text), partial(self, side=side)))

    def by_line(self, text: str, *, side: Side | None = None) -> str:
        r"""Normalize each line by itself, so that no step can join lines; every line of the result ends in a newline.

        First steps that extract a text from its surroundings see the whole text.

        Examples
        --------
        >>> Normalizer("whitespace", ["collapse_whitespace"]).by_line(" two  words \n\n third\tline\n")
        'two words\n\nthird line\n'
        """
        if _is_one_line(text):
            return f"{self(text, side=side)}\n"
        of_whole = list(takewhile(lambda step: step.facts.takes_out, self.bound))
        of_lines = self.bound[len(of_whole) :]
        return "".join(f"{_change(line, of_lines, side)}\n" for line in split_lines(_change(text, of_whole, side)))


def get_normalizer(name: str) -> Normalizer:
    """Make the normalizer of a profile."""
    check_choice("normalizer", name, PROFILES, catalogue="normalizers")
    return Normalizer(name, PROFILES[name])


def _change(text: str, steps: Iterable[Step], side: Side | None) -> str:
    for step in steps:
        if side is None or step.side in (None, side):
            text = step.change(text)
    return text


def _bind(described: str | Mapping[str, Any], where: str) -> Step:
    """Make a step of its name, or of a mapping with its name and settings."""
    settings: dict[str, Any] = {"step": described} if isinstance(described, str) else dict(described)
    if "step" not in settings:
        raise ConfigurationError(f"{where}: {settings!r} does not name its step; write {{step: NAME, SETTING: ...}}.")
    name, side = settings.pop("step"), settings.pop("side", None)
    if isinstance(name, str) and "." in name:
        return Step(name, _OF_PLUGIN, settings, side, where)
    check_choice("step", name, STEPS, where=where, catalogue="steps")
    return Step(name, STEPS[name], settings, side, where)


def _is_one_line(text: str) -> bool:
    """Whether a text is not empty and has no break, not even at its end."""
    return text != "" and "\n" not in text and "\r" not in text


@dataclass(frozen=True)
class NormalizerByColumn(Normalizer):
    """Profiles by the labels of a group column; every segment goes through that of its label.

    Parameters
    ----------
    name : str
        Name in configurations and results.
    column : str
        Group column of the data set, such as language.
    profiles : mapping of str to str
        Names of profiles by label.
    default : str, optional
        Profile of all other labels; without it they are an error.

    Raises
    ------
    UnknownNameError
        If a profile is unknown; lists the known ones.

    Examples
    --------
    >>> chosen = NormalizerByColumn("by_language", column="language", profiles={"tr": "turkish"}, default="lower")
    >>> chosen.of_label("tr")("IŞIK 42"), chosen.of_label("fr")("ICI 42")
    ('ışık kırk iki', 'ici 42')
    """

    column: str = ""
    profiles: Mapping[str, str] = field(default_factory=dict)
    default: str | None = None

    def __post_init__(self) -> None:
        if not self.column or not self.profiles or self.steps:
            raise ConfigurationError(
                f"normalizer {self.name!r} needs a column and profiles by its labels, and takes no steps of its own."
            )
        super().__post_init__()
        for profile in (*self.profiles.values(), *filter(None, [self.default])):
            get_normalizer(profile)

    def __call__(self, text: str, *, side: Side | None = None) -> str:
        """Normalize by the default, as a text alone has no label."""
        return self.of_label(None)(text, side=side)

    def of_label(self, label: str | None) -> Normalizer:
        """The normalizer of a label; ConfigurationError names those that have one."""
        profile = self.profiles.get(label, self.default) if label is not None else self.default
        if profile is None:
            raise ConfigurationError(
                f"normalizer {self.name!r} has no profile for {self.column} {label!r}; there are those for "
                f"{', '.join(sorted(self.profiles))}. Add it to profiles, or set default."
            )
        return get_normalizer(profile)

    @property
    def signature(self) -> str:
        """Name and a hash of what all profiles do, and for which labels."""
        profiles = {**self.profiles, "": self.default or "none"}
        lines = [self.column, *(f"{label} {get_normalizer(profiles[label]).signature}" for label in sorted(profiles))]
        definitions = "\n".join(lines)
        return f"{self.name}@{hashlib.sha256(definitions.encode()).hexdigest()[:4]}"
