"""Spans that are filled from references, of made-up and of real readings, against the verdict of the whole truth."""

import json
from itertools import pairwise

import numpy as np
import pytest

from misread import dispute, distances, evaluate
from misread.alignment import PairedTexts, paired_operations
from misread.alignment.kernels.kinds import DELETION, INSERTION
from misread.features.disputes.tables import Filled
from misread.features.disputes.verdict import reach_verdict
from misread.stats import StatisticsSettings
from misread.text.words import join_words

SETTINGS = StatisticsSettings(seed=1, tests=["randomisation"])


def fill(disputes, references):
    """Truth of every span, as an alignment of the reference with the nearest system has it."""
    nearest = np.stack([distances(references, texts) for texts in disputes.texts]).argmin(axis=0)
    texts = [disputes.texts[system][row] for row, system in enumerate(nearest.tolist())]
    operations = paired_operations(PairedTexts(texts, references), unit="char", alignment="unit")
    before, behind = [], []
    for start, end in pairwise(operations.offsets.tolist()):
        is_text, is_reference = (operations.codes[start:end] != code for code in (INSERTION, DELETION))
        positions = (np.cumsum(is_reference) - is_reference)[is_text]
        before.append(positions)
        behind.append(positions + is_reference[is_text])
    truths = {}
    for key, stretch in disputes.drawn.items():
        row, system = stretch.row, int(nearest[stretch.row])
        start, end = stretch.starts[system], stretch.ends[system]
        first = 0 if start == 0 else behind[row][start - 1]
        last = len(references[row]) if end == len(texts[row]) else before[row][end]
        truths[key] = references[row][first:last]
    return truths


def both_verdicts(references, systems, clusters):
    """The verdict of filled spans, that of the whole truth, and the share of the characters that lie in spans."""
    disputes = dispute(systems, seed=1, clusters=clusters)
    truths = fill(disputes, references)
    filled = Filled(name="references", truths=truths)
    verdict = reach_verdict(disputes, filled, metrics=["cer"], statistics=SETTINGS)
    full = evaluate(references, systems, clusters=clusters, metrics="cer", statistics=SETTINGS)
    return verdict, full, sum(map(len, truths.values())) / sum(map(len, references))


@pytest.mark.slow
def test_two_real_systems_are_compared_by_a_seventh_of_the_characters(shared_data):
    lines = (shared_data / "das22_directories/entries.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    rows = [json.loads(line) for line in lines]
    systems = {name: [join_words(row[name] or "") for row in rows] for name in ("pero", "tesseract4")}
    references = [join_words(row["ref"]) for row in rows]
    verdict, full, share = both_verdicts(references, systems, [row["book"] for row in rows])
    (pair,) = full.pairs
    assert share < 0.15
    assert verdict.pairs[pair]["cer"].verdict == full.pairs[pair]["cer"].verdict
    assert abs(verdict.pairs[pair]["cer"].difference - full.pairs[pair]["cer"].difference) < 0.0002
