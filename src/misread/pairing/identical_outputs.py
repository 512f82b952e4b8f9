"""Outputs that are the same in two systems, or in two runs of one, though each was to read by itself."""

import hashlib
from collections.abc import Mapping
from typing import Any

from misread.data.segment_table import Doubt
from misread.tally import ScoredSystem
from misread.text.nouns import list_in_words


def find_identical(systems: Mapping[str, ScoredSystem]) -> dict[str, list[Doubt]]:
    """Doubts by the first of the systems whose outputs are the same, character by character, and not all right."""
    names: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for name, system in systems.items():
        digests = {} if system.scores.origin.not_applicable else _digest_runs(system, is_alone=len(systems) == 1)
        for run, digest in digests.items():
            names.setdefault(digest, []).append(f"{name}, run {run}" if len(digests) > 1 else name)
            first.setdefault(digest, name)
    doubts: dict[str, list[Doubt]] = {}
    for digest, same in names.items():
        if len(same) > 1:
            sentence = (
                f"{list_in_words(same)} have the same outputs in all segments, with the same errors: see whether one "
                "file was given twice, or an answer was stored and not asked for again."
            )
            doubts.setdefault(first[digest], []).append(Doubt(sentence=sentence, brief=sentence))
    return doubts


def _digest_runs(system: ScoredSystem, *, is_alone: bool) -> dict[str, str]:
    """Digests of the outputs of each run in which any differs from its reference, by its name."""
    sums: dict[str, Any] = {}
    right: dict[str, bool] = {}
    for part in system.parts():
        if is_alone and len(part.runs) == 1:
            return {}
        for run in part.runs:
            raw, name = run.texts.raw, run.texts.run
            texts = "\0".join(f"+{text}" if text is not None else "-" for text in raw.hypotheses)
            sums.setdefault(name, hashlib.sha256()).update(f"{texts}\0".encode("utf-8", "surrogatepass"))
            right[name] = right.get(name, True) and [*raw.references] == [*raw.hypotheses]
    return {name: total.hexdigest() for name, total in sums.items() if not right[name]}
