"""Our paired comparison against that of NIST's sc_stats itself."""

import re
import subprocess

import numpy as np
import pytest
import scipy.stats

from misread.data.segment_table import Origin, SegmentKeys
from misread.errors import UndefinedResultError, UnknownNameError
from misread.features.sclite import _rank_speakers, compare_like_sc_stats, count_like_sc_stats, render_sc_stats
from misread.metrics import ErrorRate, ScoredText
from misread.stats.significance.mapsswe import encode_letters
from misread.tally.scores import Scores

WORDS = ErrorRate("wer", "word", alignment="sclite")
VOCABULARY = np.array(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])


def misheard(rng, words, rate):
    """Words of which some are replaced, dropped or followed by another."""
    dice, others = rng.random(len(words)), rng.choice(VOCABULARY, len(words))
    return " ".join(
        part
        for word, die, other in zip(words, dice, others, strict=True)
        for part in (
            [other] if die < rate / 2 else [] if die < 0.75 * rate else [word, other] if die < rate else [word]
        )
    )


def make_corpus(seed, sentences, speakers, rates=(0.10, 0.15)):
    """References, two systems, and who speaks; a speaker in two says the same in both systems."""
    rng = np.random.default_rng(seed)
    spoken = [rng.choice(VOCABULARY, rng.integers(1, 15)).tolist() for _ in range(sentences)]
    who = [f"s{row % speakers:02}" for row in range(sentences)]
    first, second = ([misheard(rng, words, rate) for words in spoken] for rate in rates)
    second = [one if int(name[1:]) % 4 == 3 else other for name, one, other in zip(who, first, second, strict=True)]
    return [" ".join(words) for words in spoken], first, second, who


def ask_nist(sctk, folder, references, first, second, who):
    """Run sclite on both systems and sc_stats on its alignments; give what it wrote, by test."""
    names = [f"{name}_{row}" for row, name in enumerate(who)]
    for file, texts in (("ref.trn", references), ("a.trn", first), ("b.trn", second)):
        lines = (f"{text} ({name})\n" for text, name in zip(texts, names, strict=True))
        (folder / file).write_text("".join(lines))
    options = ("-i", "spu_id", "-o", "sgml", "stdout")
    aligned = b"".join(
        subprocess.run(
            [sctk("sclite"), "-r", "ref.trn", "trn", "-h", system, "trn", *options],
            cwd=folder,
            capture_output=True,
            check=True,
        ).stdout
        for system in ("a.trn", "b.trn")
    )
    tests = ("mapsswe", "mcn", "wilc", "sign")
    command = [sctk("sc_stats"), "-p", *(word for test in tests for word in ("-t", test)), "-v", "-n", "all"]
    subprocess.run(command, cwd=folder, input=aligned, capture_output=True, check=True)
    return {test: (folder / f"all.stats.{test}").read_text() for test in tests}


def numbers(pattern, text):
    return [float(number) for number in re.search(pattern, text).groups()]


def compared(references, first, second, who):
    a, b = (encode_letters(WORDS.operations(ScoredText(references, system))) for system in (first, second))
    return count_like_sc_stats(a, b, names=("a", "b"), speakers=who)


@pytest.fixture(scope="module", params=[(1, 60, 7), (2, 200, 30), (4, 21, 8)], ids=str)
def both(request, sctk, tmp_path_factory):
    corpus = make_corpus(*request.param)
    return compared(*corpus), ask_nist(sctk, tmp_path_factory.mktemp("nist"), *corpus)


def test_segments_mean_deviation_and_z_are_those_of_sc_stats(both):
    ours, theirs = both
    printed = numbers(
        r"# segs: (\d+)\) \(Seg per Sent: ([\d.]+)\) \(% Error: +([\d.]+) +([\d.]+)\) "
        r"\(mean: ([-\d.]+)\) \(std dev: ([\d.]+)\) \(Z Stat: ([-\d.]+)\)",
        theirs["mapsswe"],
    )
    test = ours.mapsswe
    assert [
        test.n,
        round(test.n / ours.sentences, 3),
        round(100 * test.extra["errors_a"] / ours.segment_words, 2),
        round(100 * test.extra["errors_b"] / ours.segment_words, 2),
        round(test.extra["mean"], 3),
        round(test.extra["sd"], 3),
        round(test.statistic, 3),
    ] == pytest.approx(printed, abs=1e-3)


def test_the_table_of_sentences_is_that_of_sc_stats(both):
    ours, theirs = both
    printed = numbers(r"a\.trn +corr +(\d+) +(\d+)\s+incorr +(\d+) +(\d+)", theirs["mcn"])
    assert [ours.mcnemar.extra[key] for key in ("both_correct", "b", "c", "both_wrong")] == printed


def test_ranks_and_z_by_speaker_are_those_of_sc_stats(both):
    ours, theirs = both
    positive = numbers(r"Sum of +(\d+) positive ranks = +([\d.]+)", theirs["wilc"])
    negative = numbers(r"Sum of +(\d+) negative ranks = +([\d.]+)", theirs["wilc"])
    (z,) = numbers(r"Z statistic = ([-\d.]+)", theirs["wilc"])
    ranks = ours.ranks
    assert [ranks.positive, ranks.positive_sum] == positive
    assert [ranks.negative, ranks.negative_sum] == negative
    assert round(ranks.z, 2) == pytest.approx(z)


def test_signs_by_speaker_are_those_of_sc_stats(both):
    ours, theirs = both
    # sc_stats puts the system with the higher mean first.
    swapped = re.search(r"Systems (\w+)\.trn and", theirs["sign"]).group(1) == "b"
    counted = [*numbers(r"N\(\+\) = +(\d+)", theirs["sign"]), *numbers(r"N\(-\) = +(\d+)", theirs["sign"])]
    extra = ours.signs.extra
    assert [extra["positive"], extra["negative"]] == (counted[::-1] if swapped else counted)
    assert [extra["ties"]] == numbers(r"N\(0\) = +(\d+)", theirs["sign"])


def test_a_real_corpus_is_compared_as_sc_stats_does(sctk, tmp_path, shared_data):
    texts = []
    for name in ("csrnab.ref", "csrnab.hyp"):
        lines = [line.rpartition(" (") for line in (shared_data / "sctk" / name).read_text().lower().splitlines()]
        texts.append({segment.rstrip(") "): text for text, _, segment in lines})
    references, heard = texts
    # Alternations are chosen by sclite in the course of its alignment.
    plain = [segment for segment in references if "{" not in references[segment] and segment in heard]
    rng = np.random.default_rng(1)
    corpus = (
        [references[segment] for segment in plain],
        [heard[segment] for segment in plain],
        [misheard(rng, heard[segment].split(), 0.05) for segment in plain],
        [segment[:3] for segment in plain],
    )
    ours, theirs = compared(*corpus), ask_nist(sctk, tmp_path, *corpus)
    assert round(ours.mapsswe.statistic, 3) == numbers(r"Z Stat: ([-\d.]+)", theirs["mapsswe"])[0]
    assert ours.mapsswe.n == numbers(r"# segs: (\d+)", theirs["mapsswe"])[0]


def test_where_sc_stats_is_wrong_our_pvalue_is_the_exact_one(sctk, tmp_path):
    """10 against 11 sentences: nothing could be less of a difference."""
    references = ["a b c d"] * 21
    first, second = (["a b c d" if (row < 10) == side else "a b c e" for row in range(21)] for side in (True, False))
    who = [f"s{row}" for row in range(21)]
    theirs = ask_nist(sctk, tmp_path, references, first, second, who)["mcn"]
    assert numbers(r"probability of\s+it occurring is ([\d.]+)", theirs) == [pytest.approx(0.016)]
    assert compared(references, first, second, who).mcnemar.pvalue == 1.0


def render(*corpus):
    return render_sc_stats(compared(*corpus))


def test_the_text_has_the_figures_and_says_where_sc_stats_is_wrong():
    text = render(*make_corpus(1, 60, 7))
    assert re.search(r"Z -?\d\.\d{3}   p [<\d]", text)
    assert re.search(r"N\(\+\) \d   N\(-\) \d   N\(0\) [1-7]", text)
    assert "above, and here, it is wrong." in text


def test_the_text_fits_a_screen():
    assert max(map(len, render(*make_corpus(2, 200, 30)).splitlines())) <= 80


def test_without_speakers_the_text_says_so():
    *corpus, _ = make_corpus(3, 33, 9)
    assert "Speakers: none are named" in render(*corpus, None)


def test_equal_systems_have_no_z_and_the_reason():
    references, first, _, who = make_corpus(3, 33, 9)
    text = render(references, first, first, who)
    assert "Z is undefined: p is 1 by definition" in text
    assert compared(references, first, first, who).signs.pvalue == 1.0


def test_systems_without_any_error_are_compared():
    text = render(["a b"] * 4, ["a b"] * 4, ["a b"] * 4, ["x", "x", "y", "y"])
    assert "segments 0 (0.000 per sentence)" in text


def made_scores():
    keys = SegmentKeys([str(row) for row in range(2)], None, {})
    return Scores(Origin("x", "y"), keys, normalizer="none", reference_digest=["d"] * 2, missing="error")


def test_one_system_is_refused():
    with pytest.raises(UndefinedResultError, match="needs two systems or more; there is a"):
        compare_like_sc_stats({"a": made_scores()}, {"a": ["CC"] * 2})


def test_systems_without_alignments_are_refused():
    with pytest.raises(UndefinedResultError, match="there are no alignments of a, b"):
        compare_like_sc_stats({"a": made_scores(), "b": made_scores()}, {})


def test_the_baseline_stands_first():
    operations = dict.fromkeys("abc", ["CC"] * 2)
    scores = {name: made_scores() for name in "abc"}
    pairs = [(of.first, of.second) for of in compare_like_sc_stats(scores, operations, baseline="b")]
    assert pairs == [("b", "a"), ("b", "c"), ("a", "c")]
    with pytest.raises(UnknownNameError, match="unknown system 'z'"):
        compare_like_sc_stats(scores, operations, baseline="z")


@pytest.mark.parametrize("speakers", [6, 11, 40])
def test_z_of_ranks_without_ties_is_that_of_scipy(speakers):
    first, second = np.random.default_rng(speakers).normal(size=(2, speakers))
    expected = scipy.stats.wilcoxon(first, second, method="approx", correction=False).zstatistic
    assert abs(_rank_speakers(first, second).z) == pytest.approx(abs(expected))
