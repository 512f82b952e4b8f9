"""Each regime against its tool on lines of directories, or against its published definition where no tool is."""

import json
import re
import subprocess
import unicodedata

import numpy as np
import pytest
import regex
from rapidfuzz.distance import LCSseq, Levenshtein

SYSTEMS = ("pero", "tesseract4", "kraken")
LINES = 125


@pytest.fixture(scope="module")
def directories(data_of_every_format):
    """References, outputs by system, and books of the first entries of trade directories."""
    with (data_of_every_format / "das22_directories" / "entries.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for _, line in zip(range(LINES), file, strict=False)]
    systems = {system: [row[system] or "" for row in rows] for system in SYSTEMS}
    return [row["ref"] for row in rows], systems, [row["book"] for row in rows]


def corpus_rate(references, hypotheses, units):
    pairs = [
        (units(reference), units(hypothesis)) for reference, hypothesis in zip(references, hypotheses, strict=True)
    ]
    return sum(Levenshtein.distance(*pair) for pair in pairs) / sum(len(reference) for reference, _ in pairs)


@pytest.mark.slow
def test_jiwer(directories, rate_of):
    import jiwer

    references, systems, _ = directories
    # Tabs, line breaks and runs of blanks, at which jiwer does not divide.
    references = [*references, "a  b\tc\nd", " x\u00a0y "]
    systems = {system: [*texts, "a b c\nd", "x y"] for system, texts in systems.items()}
    for place, process in enumerate((jiwer.process_words, jiwer.process_characters)):
        expected = {}
        for system, texts in systems.items():
            output = process(references, texts)
            expected[system] = output.wer if place == 0 else output.cer
        assert rate_of(references, systems, "jiwer", place) == expected


@pytest.mark.slow
def test_the_mean_over_documents_of_the_ocr_specification(directories, rate_of):
    import jiwer

    references, systems, _ = directories
    for place, of_one in enumerate((jiwer.cer, jiwer.wer, lambda one, other: float(one.strip() != other.strip()))):
        means = {
            system: np.mean([of_one(*pair) for pair in zip(references, texts, strict=True)])
            for system, texts in systems.items()
        }
        assert rate_of(references, systems, "ocr_benchmark", place) == pytest.approx(means, abs=1e-8)


def test_the_mean_over_lines_of_the_specification_of_lines(directories, rate_of):
    from misread.metrics.prediction_evaluation import evaluate_prediction

    references, systems, _ = directories
    one = {"pero": systems["pero"][:100]}
    rows = [evaluate_prediction(*pair, "x") for pair in zip(references, one["pero"], strict=False)]
    for place, column in enumerate(("wer_norm", "cer_norm")):
        mean = np.mean([getattr(row, column) for row in rows])
        assert rate_of(references[:100], one, "evaluation_lines", place)["pero"] == pytest.approx(mean, abs=1e-8)


def test_the_batch_of_the_thulium_suite(directories, rate_of):
    from misread.spec import cer_wer_batch

    references, systems, _ = directories
    batches = {system: cer_wer_batch(references, texts) for system, texts in systems.items()}
    assert rate_of(references, systems, "thulium", 0) == {system: batch.cer for system, batch in batches.items()}
    assert rate_of(references, systems, "thulium", 1) == {system: batch.wer for system, batch in batches.items()}


def test_numbers_in_turkish_words(rate_of):
    references, systems = ["Bu 42 sayısı önemlidir", "iki"], {"a": ["Bu kırk iki sayısı önemli", "iki"]}
    assert rate_of(references, systems, "trnorm")["a"] == pytest.approx((1 / 5 + 0) / 2)


@pytest.mark.slow
def test_whisper_and_the_leaderboard(directories, rate_of):
    import jiwer
    from kaldialign import batch_error_rate
    from whisper_normalizer.english import EnglishTextNormalizer

    references, systems, _ = directories
    # Whisper's own normalizer takes a third of a millisecond a line.
    references, systems = references[::3], {system: texts[::3] for system, texts in systems.items()}
    whisper = EnglishTextNormalizer()
    extra = ["the white paper", "hmm", "ignore time segment in scoring", "one two"]
    said = ["the whitepaper", "yes", "x", "onetwo three"]
    plain = {system: jiwer.wer([*map(whisper, references)], [*map(whisper, of)]) for system, of in systems.items()}
    assert rate_of(references, systems, "whisper_english") == plain
    references, systems = [*references, *extra], {system: [*texts, *said] for system, texts in systems.items()}
    counted = [whisper(text) for text in references]
    kept = [row for row, text in enumerate(counted) if text.strip() not in ("", "ignore time segment in scoring")]
    merged = {
        system: batch_error_rate(
            [counted[row].split() for row in kept], [whisper(texts[row]).split() for row in kept], merge_compounds=True
        )["err_rate"]
        for system, texts in systems.items()
    }
    assert rate_of(references, systems, "open_asr") == pytest.approx(merged)


@pytest.mark.slow
def test_dinglehopper(directories, rate_of):
    """By its definition: graphemes and words of UAX #29, after its table of characters."""
    from misread.normalize.steps.words import segment_words

    def page(text):
        text = unicodedata.normalize("NFC", "\n".join(line.strip() for line in text.removesuffix("\n").split("\n")))
        for one, other in (("\ufb01", "fi"), ("==", "–"), ("—", "–"), ("’", "'"), ("⸗", "-"), ("a\u0364", "ä")):
            text = text.replace(one, other)
        return text

    references, systems, _ = directories
    references = [*references, " A ﬁne  line — so ’tis \n next==\n"]
    systems = {system: [*texts, "A fine line – so 'tis\nnext–"] for system, texts in systems.items()}
    found = rate_of(references, systems, "dinglehopper"), rate_of(references, systems, "dinglehopper", 1)
    for system, texts in systems.items():
        graphemes = corpus_rate(references, texts, lambda text: regex.findall(r"\X", page(text)))
        words = corpus_rate(references, texts, lambda text: segment_words(page(text)).split())
        assert (found[0][system], found[1][system]) == (graphemes, words)


def test_isri_counts_lines_without_their_spacing(directories, rate_of):
    def spaced(text):
        lines = [re.sub(r"\s+", " ", line).strip() for line in text.split("\n")]
        kept = "\n".join(line for line in lines if line)
        return f"{kept}\n" if text.rstrip(" \t").endswith("\n") else kept

    references, systems, _ = directories
    pages = ["\n".join(references[row : row + 50]) + "\n\n  \n" for row in range(0, LINES, 50)]
    outputs = {
        system: ["\n\n " + " \n".join(texts[row : row + 50]) + "\n" for row in range(0, LINES, 50)]
        for system, texts in systems.items()
    }
    expected = {system: corpus_rate(pages, texts, spaced) for system, texts in outputs.items()}
    assert rate_of(pages, outputs, "isri") == expected


def test_isri_finds_words_in_a_longest_common_subsequence(directories, rate_of):
    def words(text):
        found = regex.findall(
            r"\b.+?\b", unicodedata.normalize("NFC", text).lower(), regex.V1 | regex.WORD | regex.DOTALL
        )
        return [word for word in found if unicodedata.category(word[0])[0] in "LMN" or word[0] == "_"]

    references, systems, _ = directories
    pages = ["\n".join(references[row : row + 50]) for row in range(0, LINES, 50)]
    outputs = {
        system: ["\n".join(texts[row : row + 50]) for row in range(0, LINES, 50)] for system, texts in systems.items()
    }
    expected = {}
    for system, texts in outputs.items():
        pairs = [(words(one), words(other)) for one, other in zip(pages, texts, strict=True)]
        expected[system] = sum(LCSseq.similarity(*pair) for pair in pairs) / sum(len(one) for one, _ in pairs)
    assert rate_of(pages, outputs, "isri", 1) == expected


def test_the_three_averages_of_omnidocbench(directories, compare):
    import pandas as pd

    references, systems, books = directories
    # A blank pair counts nowhere.
    references, books = [*references, "..."], [*books, books[0]]

    def clean(text):
        for part in ("\\t", "\\n", "\t", "\n", "/t", "/n"):
            text = text.replace(part, "")
        return re.sub(r"[^\w\u4e00-\u9fff]", "", text)

    systems = {system: [*texts, "-"] for system, texts in systems.items()}
    result = compare(references, systems, ["omnidocbench_text"], clusters=books)
    for system, texts in systems.items():
        pairs = [(clean(one), clean(other)) for one, other in zip(references, texts, strict=True)]
        frame = pd.DataFrame(
            {
                "page": books,
                "edits": [Levenshtein.distance(*pair) for pair in pairs],
                "longer": [max(map(len, pair)) for pair in pairs],
            }
        )
        sums = frame.groupby("page")[["edits", "longer"]].sum()
        expected = [
            (sums["edits"] / sums["longer"]).mean(),
            frame["edits"].sum() / frame["longer"].sum(),
            (frame["edits"] / frame["longer"]).mean(),
        ]
        found = [score.systems[system].rate for score in result.scores]
        assert found == pytest.approx(expected, abs=1e-8)


def test_sclite(directories, rate_of, sctk, tmp_path):
    references, systems, _ = directories

    # What is not a word to sclite is left out: marks of alternatives, of fragments, and tags.
    def plain(text):
        return " ".join(re.sub(r"[{}/@()\\;*]", " ", text).split()) or "x"

    # Of these, sclite folds the letters A to Z alone.
    references = [*map(plain, references), "über Ähre ÖL", "Straße Éire", "İzmir Όχι"]
    systems = {system: [*texts, "Über ähre öl", "straße éire", "izmir όχι"] for system, texts in systems.items()}
    found = {}
    for name, texts in {"ref": references, **{system: [*map(plain, of)] for system, of in systems.items()}}.items():
        lines = "".join(f"{text} (a-{row:05})\n" for row, text in enumerate(texts))
        (tmp_path / name).write_text(lines, encoding="utf-8")
    sclite = sctk("sclite")
    for system in systems:
        arguments = ("-r", tmp_path / "ref", "trn", "-h", tmp_path / system, "trn", "-i", "rm", "-e", "utf-8")
        report = subprocess.run([sclite, *arguments, "-o", "rsum", "stdout"], capture_output=True, text=True).stdout
        (numbers,) = re.findall(r"\| Sum *\|(.*?)\|(.*?)\|", report)
        words, errors = int(numbers[0].split()[1]), int(numbers[1].split()[4])
        found[system] = errors / words
    texts = {system: [*map(plain, of)] for system, of in systems.items()}
    assert rate_of(references, texts, "sclite") == found


def test_published_rates_of_a_campaign_are_those_of_one_regime(shared_data, rate_of):
    """The README beside the data prints .0357 .0349 .0338 .0343 .0353, and .1038 before correction."""
    with (shared_data / "repeated_runs" / "lines.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    names = ("run1", "run2", "run3", "run4", "run5", "ocr")
    found = rate_of([row["ref"] for row in rows], {name: [row[name] for row in rows] for name in names}, "misread")
    assert [round(found[name], 4) for name in names] == [0.0357, 0.0349, 0.0338, 0.0343, 0.0353, 0.1038]
