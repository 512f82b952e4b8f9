"""Captures with normalized texts and annotations, and what each step did to them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from textwrap import shorten
from typing import Any, Final, cast

import numpy as np

from misread.alignment.operations import changed_blocks, find_operations
from misread.data.segment_table import Capture, Doubt, Origin, TextPairs
from misread.errors import InputTextError, UnknownNameError
from misread.normalize.answer_lint import fit, lint_outputs
from misread.normalize.linter import Finding, lint
from misread.normalize.normalized_texts import NormalizedTexts
from misread.normalize.normalizer import Normalizer, NormalizerByColumn
from misread.normalize.step import Side
from misread.provenance.plugins import describe_plugin
from misread.text.words import split_words

Change = Callable[[str], str]
Fit = Callable[[Any, Change, str | None, str | None], Any]


def normalize_annotations(
    capture: Capture, normalized: TextPairs, normalizers: Sequence[Normalizer]
) -> dict[str, list[Any]]:
    """Annotations adapted to the normalized texts; `normalizers` has one for each row."""
    made = {}
    for name, values in capture.annotations.items():
        if name not in _FITS:
            made[name] = list(values)
            continue
        side, fit = _FITS[name]
        before, after = (getattr(texts, side) for texts in (capture.texts, normalized))
        distinct = {id(normalizer): normalizer for normalizer in normalizers}
        changes: dict[int, Change] = {
            key: cache(partial(normalizer, side=side)) for key, normalizer in distinct.items()
        }
        made[name] = [
            fit(value, changes[id(normalizer)], old, new)
            for value, normalizer, old, new in zip(values, normalizers, before, after, strict=True)
        ]
    return made


def _change_texts(value: Any, change: Change, _before: str | None, _after: str | None) -> Any:
    """A list of texts, each normalized as the text of a segment is."""
    return [change(text) if isinstance(text, str) else text for text in value] if isinstance(value, list) else value


def _change_text(value: Any, change: Change, _before: str | None, _after: str | None) -> Any:
    return change(value) if isinstance(value, str) else value


def _change_turns(value: Any, change: Change, _before: str | None, _after: str | None) -> Any:
    """A list of objects with `words`."""
    if not isinstance(value, list):
        return value
    return [
        {**turn, "words": change(turn["words"])}
        if isinstance(turn, Mapping) and isinstance(turn.get("words"), str)
        else turn
        for turn in value
    ]


def _follow_words(value: Any, change: Change, before: str | None, after: str | None) -> Any:
    """A list with an entry per word: the entries of the words that are left.

    Where a word is made of several, the list stays as it is, and whoever uses it sees that it does not fit.
    """
    sources = _word_sources(value, change, before, after)
    if sources is None or any(len(words) != 1 for words in sources):
        return value
    return [value[word] for word, *_ in sources]


def _follow_labels(value: Any, change: Change, before: str | None, after: str | None) -> Any:
    """A list of labels for each word: those of all words that a new one is made of."""
    sources = _word_sources(value, change, before, after)
    if sources is None or not all(isinstance(labels, list) for labels in value):
        return value
    return [[*dict.fromkeys(label for word in words for label in value[word])] for words in sources]


def _word_sources(value: Any, change: Change, before: str | None, after: str | None) -> list[list[int]] | None:
    """Words that each new word is made of; None if there is no entry for each word, or nothing changed.

    Each word is changed by itself, and the new ones are aligned with these: one that is equal is made of its word, all
    between two equal ones of all words between them.
    """
    if not isinstance(value, list) or before is None or after is None or before == after:
        return None
    words, new_words = split_words(before), split_words(after)
    if len(value) != len(words):
        return None
    alone = [(word, index) for index, text in enumerate(words) for word in split_words(change(text))]
    if [word for word, _ in alone] == new_words:
        return [[index] for _, index in alone]
    codes = find_operations([" ".join(word for word, _ in alone)], [" ".join(new_words)], unit="word").codes
    sources: list[list[int]] = []
    position = 0
    for start, end, new_start, new_end in changed_blocks(codes):
        sources += [[index] for _, index in alone[position:start]]
        sources += [[*dict.fromkeys(index for _, index in alone[start:end])]] * (new_end - new_start)
        position = end
    return sources + [[index] for _, index in alone[position:]]


_FITS: Final[Mapping[str, tuple[Side, Fit]]] = {
    "biasing": ("references", _change_texts),
    "ocr": ("hypotheses", _change_text),
    "nbest": ("hypotheses", _change_texts),
    "confidence": ("hypotheses", _follow_words),
    "final_times": ("hypotheses", _follow_words),
    "entities": ("references", _follow_labels),
    "spoken_times": ("references", _follow_words),
    "reference_turns": ("references", _change_turns),
    "turns": ("hypotheses", _change_turns),
}


_MOST_LINTED: Final = 200
_MOST_LOOKED_AT: Final = 10_000
_LONGEST_EXAMPLE: Final = 60


def normalize(capture: Capture, normalizer: Normalizer) -> NormalizedTexts:
    """Normalize the texts of all runs of a capture, and keep the raw ones; findings of the linter become doubts."""
    labels = capture.segments.groups.get(getattr(normalizer, "column", ""), ())
    rows = rows_to_lint(normalizer, capture.origin, len(capture.texts), lambda: labels)
    samples = {label: take_sample(capture, of_label) for label, of_label in rows.items()}
    fitted = fit(normalizer, samples.get("", TextPairs([], [])))
    texts = normalize_rows(capture, normalizer, fitted)
    return replace(texts, origin=add_notes(texts.origin, fitted, samples))


def take_sample(capture: Capture, rows: Sequence[int]) -> TextPairs:
    """Texts of these rows, each in all runs."""
    runs = [run.texts.take(rows) for run in (capture, *capture.further_runs)]
    return TextPairs(
        [*chain.from_iterable(zip(*(texts.references for texts in runs), strict=True))],
        [*chain.from_iterable(zip(*(texts.hypotheses for texts in runs), strict=True))],
    )


def normalize_rows(capture: Capture, normalizer: Normalizer, fitted: Normalizer | None = None) -> NormalizedTexts:
    """Normalize as `normalize` does, without notes: for rows of a capture that is linted as a whole.

    `fitted` is the normalizer as it is for all outputs of the system.
    """
    first, *further = [
        replace(_normalize_run(run, fitted or normalizer), normalizer=signature_of(normalizer))
        for run in (capture, *capture.further_runs)
    ]
    return replace(first, further_runs=tuple(further))


def _normalize_run(capture: Capture, normalizer: Normalizer) -> NormalizedTexts:
    _require_characters(capture, normalizer)
    alternatives = capture.origin.facts.alternatives
    if isinstance(normalizer, NormalizerByColumn):
        normalized, lines = _normalize_by_column(capture, normalizer)
    else:
        normalized = normalizer.apply(capture.texts, alternatives=alternatives)
        lines = normalizer.apply_by_line(capture.texts, normalized, alternatives=alternatives)
    return NormalizedTexts(
        capture.origin,
        capture.segments,
        raw=capture.texts,
        normalized=normalized,
        normalized_lines=lines,
        reasons=capture.reasons,
        normalizer="",
        run=capture.run,
        annotations=_fit_annotations(capture, normalized, normalizer),
    )


def signature_of(normalizer: Normalizer) -> str:
    """Signature of a normalizer, with those of the plug-ins that define its class and its steps."""
    plugins = [describe_plugin(normalizer), *(describe_plugin(step.function) for step in normalizer.bound)]
    return "+".join([normalizer.signature, *dict.fromkeys(filter(None, plugins))])


def _fit_annotations(capture: Capture, normalized: TextPairs, normalizer: Normalizer) -> dict[str, list[Any]]:
    if not capture.annotations:
        return {}
    of_row = [normalizer] * len(capture.texts)
    for _, chosen, rows in split_by_normalizer(capture, normalizer):
        for row in rows:
            of_row[row] = chosen
    return normalize_annotations(capture, normalized, of_row)


def split_by_normalizer(capture: Capture, normalizer: Normalizer) -> list[tuple[str, Normalizer, Sequence[int]]]:
    """Labels, their normalizers, and the rows with each label."""
    if not isinstance(normalizer, NormalizerByColumn):
        return [("", normalizer, range(len(capture.texts)))]
    if normalizer.column not in capture.segments.groups:
        where = f"data set {capture.origin.dataset!r}, for normalizer {normalizer.name!r}"
        raise UnknownNameError("group column", normalizer.column, capture.segments.groups, where=where)
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(capture.segments.groups[normalizer.column]):
        rows.setdefault(label, []).append(row)
    return [(label, normalizer.of_label(label), of_label) for label, of_label in rows.items()]


def take_rows(texts: TextPairs, rows: Sequence[int]) -> TextPairs:
    """Texts of these rows, which ascend: the same texts where they are all."""
    return texts if len(rows) == len(texts) else texts.take(rows)


def _normalize_by_column(capture: Capture, normalizer: NormalizerByColumn) -> tuple[TextPairs, TextPairs]:
    """Texts normalized by the normalizer of each row's label, as wholes and by line."""
    size = len(capture.texts)
    sides: list[list[str | None]] = [[None] * size for _ in range(4)]
    alternatives = capture.origin.facts.alternatives
    for _, chosen, rows in split_by_normalizer(capture, normalizer):
        texts = take_rows(capture.texts, rows)
        whole = chosen.apply(texts, alternatives=alternatives)
        lines = chosen.apply_by_line(texts, whole, alternatives=alternatives)
        for column, values in zip(
            sides, (whole.references, whole.hypotheses, lines.references, lines.hypotheses), strict=True
        ):
            for row, value in zip(rows, values, strict=True):
                column[row] = value
    references, hypotheses, line_references, line_hypotheses = sides
    return (
        TextPairs(cast("list[str]", references), hypotheses),
        TextPairs(cast("list[str]", line_references), line_hypotheses),
    )


def rows_to_lint(
    normalizer: Normalizer, origin: Origin, size: int, read_labels: Callable[[], Iterable[str]]
) -> dict[str, list[int]]:
    """Rows that are looked at by label: at most 10,000 of `size`, drawn by a seed.

    `read_labels` gives the labels of all rows, in their order, by which a normalizer is chosen.
    """
    if origin.facts.alternatives:
        return {}
    rows = range(size)
    if size > _MOST_LOOKED_AT:
        rows = np.sort(np.random.default_rng(1).choice(size, _MOST_LOOKED_AT, replace=False)).tolist()
    if not isinstance(normalizer, NormalizerByColumn):
        return {"": [*rows]}
    drawn = {*rows}
    by_label: dict[str, list[int]] = {}
    for row, label in enumerate(read_labels()):
        if row in drawn:
            by_label.setdefault(label, []).append(row)
    return by_label


def add_notes(origin: Origin, normalizer: Normalizer, samples: Mapping[str, TextPairs]) -> Origin:
    """Add the findings of the linter, and text around the answers of models, as doubts."""
    doubts: list[Doubt] = []
    for label, sample in samples.items():
        chosen = normalizer.of_label(label) if isinstance(normalizer, NormalizerByColumn) else normalizer
        doubts += lint_outputs(chosen, sample, origin.system)
        # Collapsing white space alone does no harm.
        if {step.name for step in chosen.bound} <= {"collapse_whitespace"}:
            continue
        sample = sample.take(range(0, len(sample), -(-len(sample) // _MOST_LINTED) or 1))
        # References by themselves, so that all systems have the same notes on them.
        of_references = lint(chosen, TextPairs(sample.references, [None] * len(sample))).findings
        for finding in of_references:
            doubts.append(_doubt(chosen, finding, f"{len(sample):,} references"))
        # Findings in hypotheses that references do not show, such as the fault of a script that only a system writes.
        hypotheses = [text for text in sample.hypotheses if text is not None]
        known = {(finding.rule, finding.script) for finding in of_references}
        for finding in lint(chosen, TextPairs([], hypotheses)).findings:
            if (finding.rule, finding.script) not in known:
                doubts.append(_doubt(chosen, finding, f"{len(hypotheses):,} hypotheses of {origin.system}"))
    return replace(origin, facts=origin.facts.with_doubts(*doubts))


def _doubt(normalizer: Normalizer, finding: Finding, looked_at: str) -> Doubt:
    example = ""
    if finding.examples:
        before, after = (repr(shorten(text, _LONGEST_EXAMPLE)) for text in finding.examples[0])
        example = f", such as {before} to {after}"
    change, size = f"Normalizer {normalizer.name!r} {finding.sentence}", f" ({looked_at} looked at)."
    return Doubt(sentence=f"{change}{example}{size}", brief=f"{change}{size}", quotes=bool(example), is_caution=False)


def _require_characters(capture: Capture, normalizer: Normalizer) -> None:
    """Raise InputTextError, with the first segment and its side, for half of a surrogate pair: no character."""
    if not normalizer.steps:
        return
    for side, texts in (("reference", capture.texts.references), ("hypothesis", capture.texts.hypotheses)):
        try:
            "".join(filter(None, texts)).encode()
        except UnicodeEncodeError:
            for segment_id, text in zip(capture.segments.segment_id, texts, strict=True):
                if text and any("\ud800" <= character <= "\udfff" for character in text):
                    raise InputTextError(
                        f"{side} of segment {segment_id!r} (data set {capture.origin.dataset!r}) has half of a "
                        "surrogate pair, which is not a character; read its source as the encoding that it is in."
                    ) from None
