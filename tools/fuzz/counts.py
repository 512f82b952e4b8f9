"""Comparison of error counts and distances with rapidfuzz on random difficult pairs."""

import random
from collections.abc import Callable

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from misread import distances, error_counts
from misread.alignment import Unit
from misread.compiled.budget import use_machine_code
from tools.bench.texts import corrupt

# Few symbols make many alignments of equal cost; code points of every width; the character that separates texts.
ALPHABETS = (
    *("a", "ab", "abc", "ab ", "ab\u3000漢  ", "\0ab", "etaoinshrd ", "aé", "aş漢", "a😀\U0010ffff"),
    "abcdefghijklmnopqrstuvwxyz",
)
LENGTHS = (0, 1, 2, 7, 8, 15, 31, 32, 62, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193, 511, 512, 513)
BATCH = 2000


def compare_pairs(pairs: int, seed: int) -> None:
    """Compare so many pairs; stop at the first on which the two disagree."""
    use_machine_code()
    rng = random.Random(seed)
    for done in range(BATCH, pairs + BATCH, BATCH):
        alphabet = rng.choice(ALPHABETS)
        check(*zip(*(draw_pair(rng, alphabet) for _ in range(BATCH)), strict=True))
        if done % 100_000 == 0:
            print(f"{done:,} pairs agree with rapidfuzz", flush=True)


def draw_pair(rng: random.Random, alphabet: str) -> tuple[str, str]:
    """A reference and an unrelated or related hypothesis, of a length near the limits of an algorithm."""
    length = max(0, rng.choice(LENGTHS if rng.random() < 0.1 else LENGTHS[:13]) + rng.choice((-1, 0, 0, 1)))
    reference = "".join(rng.choices(alphabet, k=length))
    if rng.random() < 0.4:
        return reference, "".join(rng.choices(alphabet, k=max(0, length + rng.choice((-3, -1, 0, 1, 3)))))
    hypothesis = corrupt(rng, reference, alphabet, rng.choice((0.02, 0.1, 0.4)))
    start = rng.randrange(len(hypothesis) + 1)
    cut = rng.randrange(20) if rng.random() < 0.2 else 0
    return reference, hypothesis[:start] + hypothesis[start + cut :]


def check(references: tuple[str, ...], hypotheses: tuple[str, ...]) -> None:
    """Stop at the first pair whose substitutions, deletions, insertions or distance differ from those of rapidfuzz."""
    units: tuple[tuple[Unit, Callable[[str], list[str]]], ...] = (("char", list), ("word", str.split))
    for unit, split in units if any(" " in reference for reference in references) else units[:1]:
        counts = error_counts(references, hypotheses, unit=unit)
        ours = zip(counts.substitutions.tolist(), counts.deletions.tolist(), counts.insertions.tolist(), strict=True)
        for reference, hypothesis, numbers in zip(references, hypotheses, ours, strict=True):
            tags = [operation.tag for operation in Levenshtein.editops(split(reference), split(hypothesis))]
            theirs = (tags.count("replace"), tags.count("delete"), tags.count("insert"))
            if numbers != theirs:
                raise SystemExit(f"{reference!r} and {hypothesis!r}, {unit}: {numbers} here, {theirs} in rapidfuzz.")
    expected = process.cpdist(references, hypotheses, scorer=Levenshtein.distance)
    if distances(references, hypotheses).tolist() != expected.tolist():
        raise SystemExit(f"distances differ from rapidfuzz in {references!r} and {hypotheses!r}.")
