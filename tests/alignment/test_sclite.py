"""Our alignment "sclite" against NIST's sclite itself."""

import re
import subprocess

import numpy as np
import pytest

from misread.alignment import align_alternatives, align_readings, error_counts
from misread.alignment.alternatives import parse_sides
from misread.alignment.api import align
from misread.metrics.base import ScoredText, WrittenAlternatives
from misread.sockets.metric_names import get_metric

SPEAKERS = 10
UTTERANCE = re.compile(
    r"^id: \((?P<id>\S+)\)\nScores: \(#C #S #D #I\) (?P<counts>[\d ]+)\n"
    r"REF: (?P<reference>.*)\nHYP: (?P<hypothesis>.*)$",
    re.MULTILINE,
)


@pytest.fixture
def sclite(sctk):
    return sctk("sclite")


def read_report(text):
    """Counts of every utterance in sclite's report, and the two lines of its alignment."""
    return {
        match["id"]: (
            [int(count) for count in match["counts"].split()],
            (match["reference"].split(), match["hypothesis"].split()),
        )
        for match in UTTERANCE.finditer(text)
    }


def read_operations(reference, hypothesis):
    """Kinds of the columns: stars stand for a missing word, and wrong words are in capitals."""
    kinds = {(True, False): "insertion", (False, True): "deletion"}
    return [
        kinds.get(("*" in word, "*" in other), "hit" if word == other else "substitution")
        for word, other in zip(reference, hypothesis, strict=True)
    ]


def run_sclite(program, folder, references, hypotheses, *options):
    for name, texts in (("reference", references), ("hypothesis", hypotheses)):
        lines = [f"{text} (speaker{row % SPEAKERS}_{row})\n" for row, text in enumerate(texts)]
        (folder / name).write_text("".join(lines))
    command = [program, "-r", "reference", "trn", "-h", "hypothesis", "trn", "-i", "rm", "-o", "pra", "stdout"]
    command += options
    report = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    found = read_report(report)
    return [found.get(f"speaker{row % SPEAKERS}_{row}", ([0, 0, 0, 0], ([], []))) for row in range(len(references))]


def random_pairs(seed, number, longest):
    """Pairs with many alignments of equal cost: few words, half of the pairs related."""
    rng = np.random.default_rng(seed)
    references, hypotheses = [], []
    for _ in range(number):
        words = np.array(["a", "b", "c", "d", "e", "f", "g", "h"])[: rng.integers(1, 9)]
        reference = rng.choice(words, rng.integers(longest + 1)).tolist()
        hypothesis = rng.choice(words, rng.integers(longest + 1)).tolist()
        if rng.random() < 0.5:
            dice = zip(reference, rng.choice(words, len(reference)).tolist(), rng.random(len(reference)), strict=True)
            hypothesis = [other if die < 0.25 else word for word, other, die in dice if die < 0.85]
        references.append(" ".join(reference))
        hypotheses.append(" ".join(hypothesis))
    return references, hypotheses


def random_alternatives(rng, words, depth, longest):
    """A text with alternatives and optional words, and one way to read it."""
    text, read = [], []
    for _ in range(rng.integers(depth > 0, longest + 1)):
        if rng.random() < 0.25 and depth < 2:
            ways = [random_alternatives(rng, words, depth + 1, 3) for _ in range(rng.integers(2, 4))]
            ways = [way if rng.random() < 0.75 else ("@", []) for way in ways]
            text.append("{ " + " / ".join(way for way, _ in ways) + " }")
            read += ways[rng.integers(len(ways))][1]
        else:
            word = str(rng.choice(words))
            die = rng.random()
            text.append(f"({word})" if die < 0.1 else "@" if die > 0.95 else word)
            read += [word] if die <= 0.95 else []
    return " ".join(text), read


def random_pairs_with_alternatives(seed, number, longest):
    rng = np.random.default_rng(seed)
    references, hypotheses = [], []
    for _ in range(number):
        words = list("abcdefgh")[: rng.integers(1, 9)]
        text, read = random_alternatives(rng, words, 0, longest)
        heard = [word if rng.random() < 0.8 else str(rng.choice(words)) for word in read if rng.random() < 0.85]
        references.append(text)
        hypotheses.append(" ".join(heard))
    return references, hypotheses


def random_alternatives_on_both_sides(seed, number, longest):
    rng = np.random.default_rng(seed)
    words = [list("abcdefgh")[: rng.integers(1, 9)] for _ in range(number)]
    return [[random_alternatives(rng, known, 0, longest)[0] for known in words] for _ in range(2)]


def counts_of(references, hypotheses):
    return stack(error_counts(references, hypotheses, unit="word", alignment="sclite"))


def stack(counts):
    return np.stack([counts.hits, counts.substitutions, counts.deletions, counts.insertions], axis=-1).tolist()


@pytest.mark.parametrize(("number", "longest"), [(3000, 6), (2000, 14), (80, 120)])
def test_random_pairs_are_counted_and_aligned_as_sclite_does(sclite, tmp_path, number, longest):
    references, hypotheses = random_pairs(number, number, longest)
    theirs = run_sclite(sclite, tmp_path, references, hypotheses)
    assert counts_of(references, hypotheses) == [counts for counts, _ in theirs]
    for row in range(0, number, 10):
        aligned = align(references[row], hypotheses[row], unit="word", alignment="sclite")
        assert [operation.kind for operation in aligned.operations] == read_operations(*theirs[row][1])


@pytest.mark.parametrize(("number", "longest"), [(1500, 5), (750, 15)])
def test_alternatives_and_optional_words_are_counted_as_sclite_does(sclite, tmp_path, number, longest):
    references, hypotheses = random_pairs_with_alternatives(number, number, longest)
    theirs = run_sclite(sclite, tmp_path, references, hypotheses, "-D")
    aligned = align_alternatives(references, hypotheses, alignment="sclite")
    assert stack(aligned.counts) == [counts for counts, _ in theirs]


@pytest.mark.parametrize("blank", [" ", ""])
@pytest.mark.parametrize("longest", [3, 8])
def test_alternatives_on_both_sides_are_counted_as_sclite_does(sclite, tmp_path, longest, blank):
    written = random_alternatives_on_both_sides(longest, 300, longest)
    marks = {" / ": f"{blank}/{blank}", "{ ": f"{{{blank}", " }": f"{blank}}}"}
    for mark, other in marks.items():
        written = [[text.replace(mark, other) for text in side] for side in written]
    references, hypotheses = written
    theirs = run_sclite(sclite, tmp_path, references, hypotheses, "-D")
    aligned = align_alternatives(references, hypotheses, alignment="sclite", alternatives="both")
    assert stack(aligned.counts) == [counts for counts, _ in theirs]


def test_segments_are_wrong_where_sclite_has_an_error(sclite, tmp_path):
    references, hypotheses = random_alternatives_on_both_sides(17, 1000, 5)
    theirs = run_sclite(sclite, tmp_path, references, hypotheses, "-D")
    sides = parse_sides(references, hypotheses, "both")
    read = align_readings(*sides)
    pairs = ScoredText(read.references, read.hypotheses, written=WrittenAlternatives(*sides, "both", read))
    by_costs_of_sclite, by_unit_costs = (get_metric(name).count(pairs) for name in ("ser(alignment=sclite)", "ser"))
    assert by_costs_of_sclite[:, 0].tolist() == [any(counts[1:]) for counts, _ in theirs]
    assert by_costs_of_sclite.tolist() != by_unit_costs.tolist()


def test_a_slash_outside_of_braces_is_counted_as_sclite_does(sclite, tmp_path):
    references = ["a / b", "and/or {a/b} and/or", "/ a"]
    hypotheses = ["a b", "and or b and/or", "/ a"]
    theirs = run_sclite(sclite, tmp_path, references, hypotheses, "-D")
    aligned = align_alternatives(references, hypotheses, alignment="sclite")
    assert stack(aligned.counts) == [counts for counts, _ in theirs]


def test_two_long_texts_are_counted_as_sclite_counts_them(sclite, tmp_path):
    references, hypotheses = random_pairs(7, 4, 2500)
    assert counts_of(references, hypotheses) == [row for row, _ in run_sclite(sclite, tmp_path, references, hypotheses)]


def test_a_published_report_of_sclite_is_counted_alike(shared_data):
    folder = shared_data / "sctk"
    texts = []
    for name in ("csrnab.ref", "csrnab.hyp"):
        lines = (line.rpartition(" (") for line in (folder / name).read_text().lower().splitlines())
        texts.append({segment.rstrip(") "): text for text, _, segment in lines})
    report = read_report((folder / "base" / "test1.pra").read_text())
    references, hypotheses = ([side[segment] for segment in report] for side in texts)
    aligned = align_alternatives(references, hypotheses, alignment="sclite")
    assert stack(aligned.counts) == [counts for counts, _ in report.values()]
    assert np.sum(stack(aligned.counts), axis=0).tolist() == [1263, 131, 12, 26]
