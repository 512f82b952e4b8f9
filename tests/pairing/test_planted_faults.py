"""Precision and recall of faults that were planted in real and made outputs: the table of the guide."""

import json
import random
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.pairing import planted_faults

from misread import distances, resegment
from misread.data import read_segment_files
from misread.pairing.better_references import PairedSides
from misread.pairing.check import check_pairing

GUIDE = Path(__file__).resolve().parents[2] / "docs/how-to/pairing.md"
NAMES = {"shift": "shifted", "swap": "swapped in pairs", "permutation": "in another order", "doubled": "doubled"}


def directories(folder):
    """Entries of directories by three OCR systems."""
    text = (folder / "das22_directories/entries.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    for system in ("pero", "tesseract4", "kraken"):
        # Two shares, as each of these sets takes as long as all others together.
        yield [row["ref"] for row in rows], [row[system] or "" for row in rows], (0.01, 0.3)


def calls(folder):
    """Utterances of fifteen words of two calls, as a speech service heard them."""
    root = folder / "earnings21_eval10"
    names = ["4320211", "4341191"]
    heard = []
    for name in names:
        reference = root / "transcripts/nlp_references" / f"{name}.nlp"
        table = read_segment_files(reference, {"google": root / "output/google" / f"{name}.nlp"}, "nlp")
        words = table.references[0].split()
        references = [" ".join(words[start : start + 15]) for start in range(0, len(words), 15)]
        heard.append((references, resegment(references, table.hypotheses["google"][0] or "")))
    references = heard[0][0] + heard[1][0]
    yield (references, heard[0][1] + heard[1][1], (0.01, 0.03, 0.1, 0.3))


def handwriting(folder):
    """Lines of court registers, with one character in ten and in four wrong."""
    lines = [
        path.read_text(encoding="utf-8").strip()
        for path in sorted((folder / "timeus_handwriting/lines").glob("*.gt.txt"))
    ]
    yield from damaged(lines, (0.05, 0.1, 0.2, 0.3))


def made(first, last, joiner):
    """Lines of made words of an alphabet, some letters of which are rare."""
    rng = random.Random(3)
    letters = [chr(code) for code in range(first, last + 1)]
    rng.shuffle(letters)
    weights = [1 / rank for rank in range(1, len(letters) + 1)]
    lengths = [rng.randrange(2, 7) for _ in range(400)]
    words = sorted({"".join(rng.choices(letters, weights, k=length)) for length in lengths})
    texts = [joiner.join(rng.choices(words, k=rng.randrange(4, 12))) for _ in range(600)]
    yield from damaged(texts[:400], (0.01, 0.03, 0.1, 0.3))


def damaged(references, shares):
    alphabet = "".join(sorted(set("".join(references))))
    for rate in (0.1, 0.25):
        rng = random.Random(5)
        yield (references, [planted_faults.damage(text, rate, rng, alphabet) for text in references], shares)


SETS = {
    "das22": directories,
    "earnings21": calls,
    "timeus": handwriting,
    "Arabic": lambda _: made(0x627, 0x64A, " "),
    "Thai": lambda _: made(0xE01, 0xE2E, ""),
}


def flagged(references, outputs):
    """Rows of any fault that names another place."""
    lengths = np.maximum(1, [len(text) for text in references])
    sides = PairedSides(
        [*map(str, range(len(references)))], references, outputs, distances(references, outputs) / lengths
    )
    findings = check_pairing(sides, "x")
    return {int(pair.segment_id) for finding in findings for pair in finding.pairs}


@cache
def published():
    """Cells of the table of the guide, by fault and set."""
    rows = re.findall(r"^\| (\w[^|]*?) \|(.*)\|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}
    return {fault: dict(zip(cells["outputs are"], cells[fault], strict=True)) for fault in NAMES.values()}


@cache
def prepared(name, folder):
    """Systems of a set, read or made once."""
    return [*SETS[name](folder)]


def measure(name, folder, fault):
    """Precision and recall over all systems, shares and draws of a set, of outputs that anybody could place."""
    right = said = planted = 0
    for references, outputs, shares in prepared(name, folder):
        for share in shares:
            for seed in range(1 if len(references) > 1000 else 4):
                plant = planted_faults.FAULTS[fault](outputs, share, random.Random(seed))
                undecidable = plant.undecidable(references)
                rows, planted_rows = flagged(references, plant.outputs) - undecidable, plant.rows - undecidable
                right, said = right + len(rows & planted_rows), said + len(rows)
                planted += len(planted_rows)
    return right / said, right / planted


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_nothing_is_said_of_outputs_in_their_place(name, shared_data):
    for references, outputs, _ in prepared(name, shared_data):
        assert not flagged(references, outputs)


@pytest.mark.slow
@pytest.mark.parametrize("fault", NAMES)
@pytest.mark.parametrize("name", SETS)
def test_planted_faults_are_found_and_nothing_else(name, fault, shared_data):
    precision, recall = measure(name, shared_data, fault)
    assert published()[NAMES[fault]][name] == f"{precision:.2f} / {recall:.2f}"
    assert precision >= 0.95
    assert recall >= 0.95
