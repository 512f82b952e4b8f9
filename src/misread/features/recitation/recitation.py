"""Systems that agree with the reference where all others agree on an unusual misreading."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from misread.errors import UndefinedResultError
from misread.features.recitation.disputed_words import DisputedWords, find_disputed
from misread.features.recitation.read_words import ReadWords, read_words
from misread.features.recitation.unusual_changes import Unusual, compare_changes
from misread.normalize.common_rows import find_common_rows
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.signature import Signature
from misread.stats import Recitation, RecitedDocument, RecitedWord, SystemRecitation, adjust
from misread.text.nouns import count_of
from misread.text.words import WHITE_SPACE
from misread.types import IntArray

FEWEST_SYSTEMS: Final = 3
"""One system, and two others that may agree."""

FEWEST_DISPUTED: Final = 30
FEWEST_AGREEMENTS: Final = 10
FEWEST_MISREADINGS: Final = 30
"""Below these numbers of words nothing is said."""

FEWEST_DOCUMENTS: Final = 5
"""Documents with agreements, below which nothing is said: one may be an exception."""

_WORD: Final = re.compile(f"[^{re.escape(WHITE_SPACE)}]+")


def find_recitation(texts: Mapping[str, NormalizedTexts], *, alpha: float = 0.05) -> Recitation:
    """Look for systems that recite the reference, such as a published edition, in place of reading the page.

    Where an edition repairs or modernises what stands on the page, a system that has it in its training data agrees
    with it, and all others agree on what they see. A better system agrees with the reference there, too, if the others
    share a misreading. These can be told apart by the changes from the reference to what the others read: a misreading
    that all share is one that each of them also makes elsewhere, as a rule; a repair is none. So the shared changes
    that occur at no other word are counted where the system agrees with the reference, and held against the share of
    such changes among the misreadings of each other system at words that this system reads right, changes of one
    character, of two, and of more for themselves. The largest share counts.

    The quality of the system does not enter, as all these words are read right by it; nor do errors that others share
    because they are of one family, as these are drawn from the misreadings that each makes.

    Raises UndefinedResultError for fewer than three systems, references with alternatives, or systems without a common
    segment. Levchenko (2025), Evaluating LLMs for historical document OCR, arXiv 2510.06743, for contamination of
    references that were published.
    """
    if len(texts) < FEWEST_SYSTEMS:
        raise UndefinedResultError(
            f"recitation shows where all other systems agree, which takes {FEWEST_SYSTEMS} systems; there "
            f"{'is' if len(texts) == 1 else 'are'} {', '.join(texts)}."
        )
    if any(outputs.origin.facts.alternatives for outputs in texts.values()):
        raise UndefinedResultError("references with alternatives have no single text that a system could recite.")
    rows, left_out = find_common_rows(texts)
    name, first = next(iter(texts.items()))
    common = [*rows[name].values()]
    labels = first.segments.segment_id if first.segments.cluster is None else first.segments.cluster
    unit = "segment" if first.segments.cluster is None else first.origin.cluster_name or "cluster"
    names, documents = np.unique([labels[row] for row in common], return_inverse=True)
    hypotheses = {
        system: [outputs.normalized.hypotheses[row] or "" for row in rows[system].values()]
        for system, outputs in texts.items()
    }
    words = read_words([first.normalized.references[row] for row in common], hypotheses)
    systems = {}
    for number, system in enumerate(texts):
        disputed = find_disputed(words, number)
        described = describe_system(disputed, documents[words.segments], names.tolist(), unit)
        recited = _list_words(words, disputed, number, [*rows[name]], hypotheses[system])
        systems[system] = replace(described, words=recited)
    return Recitation(
        segments=len(common),
        left_out=left_out,
        unit=unit,
        alpha=alpha,
        systems=_adjust(systems, alpha),
        signature=Signature.of("recitation", {"unit": "word", "norm": first.normalizer, "adj": f"holm({len(texts)})"}),
    )


def describe_system(disputed: DisputedWords, documents: IntArray, names: Sequence[str], unit: str) -> SystemRecitation:
    """Counts of one system, and the test where there is enough to see."""
    agreements = disputed.agreements
    described = SystemRecitation(
        confirmed=disputed.confirmed,
        departures=disputed.departures,
        disputed=len(disputed.disputed),
        agreements=len(agreements.words),
        unparalleled=int(agreements.unparalleled.sum()),
    )
    comparable = [changes for changes in disputed.misreadings if len(changes.words) >= FEWEST_MISREADINGS]
    number_of_documents = len(np.unique(documents[agreements.words]))
    needs = (
        (described.disputed, FEWEST_DISPUTED, "word", "that all others read alike, and not as the reference"),
        (described.agreements, FEWEST_AGREEMENTS, "disputed word", "read as the reference"),
        (max(len(changes.words) for changes in disputed.misreadings), FEWEST_MISREADINGS, "misreading", "of one other"),
        (number_of_documents, FEWEST_DOCUMENTS, unit, "with such words"),
    )
    for number, fewest, noun, rest in needs:
        if number < fewest:
            reason = f"{count_of(number, noun)} {rest}; at least {fewest} are needed"
            return replace(described, reason=reason, documents=_by_document(disputed, documents, names, None))
    unusual = max((compare_changes(agreements, changes, documents) for changes in comparable), key=_least_telling)
    return replace(
        described,
        expected=unusual.expected,
        ratio=described.unparalleled / unusual.expected if unusual.expected else None,
        pvalue=unusual.pvalue,
        documents=_by_document(disputed, documents, names, unusual),
    )


def _least_telling(unusual: Unusual) -> tuple[float, float]:
    return unusual.pvalue, unusual.expected


def _by_document(
    disputed: DisputedWords, documents: IntArray, names: Sequence[str], unusual: Unusual | None
) -> tuple[RecitedDocument, ...]:
    agreements = disputed.agreements
    of_agreements = documents[agreements.words]
    expected = None if unusual is None else np.bincount(of_agreements, unusual.shares[agreements.sizes], len(names))
    counts = [
        np.bincount(rows, minlength=len(names)).tolist()
        for rows in (documents[disputed.disputed], of_agreements, of_agreements[agreements.unparalleled])
    ]
    listed = [
        RecitedDocument(
            document=name,
            disputed=number,
            agreements=agreed,
            unparalleled=unparalleled,
            expected=None if expected is None else float(expected[row]),
        )
        for row, (name, number, agreed, unparalleled) in enumerate(zip(names, *counts, strict=True))
        if number
    ]
    return tuple(sorted(listed, key=lambda document: (document.expected or 0) - document.unparalleled))


def _list_words(
    words: ReadWords, disputed: DisputedWords, system: int, ids: Sequence[str], hypotheses: Sequence[str]
) -> tuple[RecitedWord, ...]:
    other = 1 if system == 0 else 0
    listed = []
    for word in disputed.agreements.words[disputed.agreements.unparalleled].tolist():
        row = int(words.segments[word])
        start, end = [match.span() for match in _WORD.finditer(hypotheses[row])][words.positions[system, word]]
        reference, reading = words.references[word], words.readings[other, word]
        listed.append(
            RecitedWord(
                segment_id=ids[row],
                start=start,
                end=end,
                reference=words.vocabulary[reference],
                reading=words.vocabulary[reading],
            )
        )
    return tuple(listed)


def _adjust(systems: Mapping[str, SystemRecitation], alpha: float) -> dict[str, SystemRecitation]:
    """Adjust p for the number of systems that have one."""
    raw = {system: described.pvalue for system, described in systems.items() if described.pvalue is not None}
    adjusted = dict(zip(raw, adjust([*raw.values()], method="holm").tolist(), strict=True)) if raw else {}
    return {
        system: replace(described, adjusted_pvalue=pvalue, is_suspicious=pvalue is not None and pvalue < alpha)
        for system, described in systems.items()
        for pvalue in (adjusted.get(system),)
    }
