import numpy as np
import pytest
import scipy.stats

from misread.features.regimes import describe_changes
from misread.features.regimes.schema import describe_winners
from misread.metrics.rates import cer, wer

from .conftest import PAGES, REFERENCES, SYSTEMS


def test_rates_ranks_and_signatures_are_those_of_the_regime(compare):
    (characters, words) = compare(REFERENCES, SYSTEMS, ["misread"], clusters=PAGES).scores
    assert (characters.rate, characters.unit, characters.average) == ("cer", "characters", "micro")
    assert (words.rate, words.unit, words.segments, words.excluded) == ("wer", "words", 4, 0)
    for system, of in words.systems.items():
        assert of.rate == wer(REFERENCES, SYSTEMS[system])
    assert [of.rank for of in words.systems.values()] == [2, 1]
    facts = words.signature.facts
    assert (facts["regime"], facts["avg"], facts["missing"]) == ("misread.1", "micro", "error")
    assert facts["norm"].startswith("whitespace@")


def test_equal_rates_share_a_rank_and_none_wins(compare):
    result = compare(["ab", "cd"], {"a": ["ax", "cd"], "b": ["ab", "cx"]}, ["misread", "jiwer"])
    assert [of.rank for of in result.scores[0].systems.values()] == [1, 1]
    assert result.scores[0].best == ["a", "b"]
    assert describe_changes(result) == []


def test_macro_averages_are_means_of_rates(rate_of, make_regime):
    rates = np.array([cer(*pair) for pair in zip(REFERENCES, SYSTEMS["a"], strict=True)])
    pages = [cer(REFERENCES[begin:end], SYSTEMS["a"][begin:end]) for begin, end in ((0, 2), (2, 3), (3, 4))]
    for name, expected in (("segments", rates.mean()), ("clusters", np.mean(pages)), ("page", np.mean(pages))):
        found = rate_of(REFERENCES, SYSTEMS, make_regime(averaging=[name]), clusters=PAGES)
        assert found["a"] == pytest.approx(expected, abs=1e-9)


def test_the_interval_of_a_mean_of_rates_is_that_of_as_many_values(compare, make_regime):
    texts = ["abcdefghij"] * 37 + ["abcdefghix", "abcdefgxxx", "abcdefghix"]
    (score,) = compare(["abcdefghij"] * 40, {"a": texts}, [make_regime(averaging=["segments"])]).scores
    rates = np.array([0.0] * 37 + [0.1, 0.3, 0.1])
    # Wilson's form of Student's interval of 40 values, but for its correction of skewness.
    reach = scipy.stats.t.ppf(0.975, 39) * rates.std(ddof=1) / 40**0.5 / rates.mean()
    assert score.systems["a"].interval.low == pytest.approx(rates.mean() * np.exp(-2 * np.arcsinh(reach / 2)))


def test_a_group_column_may_be_averaged_over(rate_of, make_regime):
    found = rate_of(REFERENCES, SYSTEMS, make_regime(averaging=["side"]), groups={"side": ["l", "r", "l", "r"]})
    sides = [cer(REFERENCES[side::2], SYSTEMS["b"][side::2]) for side in (0, 1)]
    assert found["b"] == pytest.approx(np.mean(sides), abs=1e-9)


def test_segments_without_a_rate_are_left_out_of_means(rate_of, make_regime):
    regime = make_regime(averaging=["segments"])
    assert rate_of(["ab", ""], {"a": ["ax", "zz"]}, regime) == {"a": 0.5}


def test_the_whole_text_is_aligned_across_segments(rate_of, make_regime):
    references, texts = ["one", "two three"], {"a": ["one two", "three"]}
    assert rate_of(references, texts, make_regime(rates={"wer": {}}))["a"] == pytest.approx(2 / 3)
    assert rate_of(references, texts, make_regime(rates={"wer": {}}, averaging=["whole"]))["a"] == 0
    apart = rate_of(references, texts, make_regime(rates={"wer": {}}, averaging=["whole"]), clusters=["x", "y"])
    assert apart["a"] == pytest.approx(2 / 3)


def test_an_average_that_the_data_cannot_have_leaves_the_others(compare, make_regime):
    result = compare(REFERENCES, SYSTEMS, [make_regime(averaging=["clusters", "micro"])], groups={"side": [*"lrlr"]})
    assert [score.average for score in result.scores] == ["micro"]
    reason = result.not_applied["own cer clusters"]
    assert reason == "averaging 'clusters': data set 'texts' has no clusters, and the group columns side."


@pytest.mark.parametrize(
    ("policy", "rate", "missing"),
    [
        ("empty", cer(["abcd", "efgh"], ["abcx", ""]), "empty"),
        ("drop", 0.25, "drop"),
        ({"impute": "ocr"}, cer(["abcd", "efgh"], ["abcx", "eggh"]), "impute-from-ocr"),
    ],
)
def test_missing_outputs_are_what_the_regime_says(compare, make_regime, policy, rate, missing):
    systems = {"a": ["abcx", None], "ocr": ["abcd", "eggh"]}
    (score,) = compare(["abcd", "efgh"], systems, [make_regime(missing=policy)]).scores
    assert score.systems["a"].rate == rate
    assert score.systems["ocr"].rate == (0 if policy == "drop" else 1 / 8)
    assert score.signature.facts["missing"] == missing
    assert score.excluded == (1 if policy == "drop" else 0)


@pytest.mark.parametrize("averaging", ["micro", "whole"])
def test_a_missing_output_under_error_is_named(compare, make_regime, averaging):
    result = compare(["ab", "cd"], {"a": ["ab", None]}, [make_regime(averaging=[averaging])])
    assert result.scores == ()
    assert "2" in result.not_applied[f"own cer {averaging}"]
    assert describe_winners(result)[0].startswith("No regime can be applied to texts (own cer ")


def test_what_the_other_system_lacks_too_stays_missing(compare, make_regime):
    regime = make_regime(missing={"impute": "ocr"})
    assert "has no hypothesis" in compare(["ab"], {"a": [None], "ocr": [None]}, [regime]).not_applied["own cer micro"]
    reason = compare(["ab"], {"a": [None]}, [regime]).not_applied["own"]
    assert reason == ("regime 'own' takes missing outputs from system 'ocr', which is not among those compared: a.")


def test_excluded_segments_count_for_no_system(compare, make_regime):
    exclusions = {"references": "^IGNORE", "groups": {"lang": ["fr"]}, "empty_references": True}
    references = ["abcd", "IGNORE this", "efgh", "..."]
    systems = {"a": ["abcx", "x", "x", "x"], "b": ["abcd", "y", "y", "y"]}
    regime = make_regime(exclusions=exclusions, normalizer=["remove_punctuation"])
    (score,) = compare(references, systems, [regime], groups={"lang": ["en", "en", "fr", "en"]}).scores
    assert (score.segments, score.excluded) == (1, 3)
    assert {system: of.rate for system, of in score.systems.items()} == {"a": 0.25, "b": 0}


@pytest.mark.parametrize("exclusions", [{"empty_references": True}, {"references": "^IGNORE"}])
def test_excluded_segments_count_in_no_run(rate_of, make_regime, exclusions):
    references = ["abcd", "IGNORE" if "references" in exclusions else "", "efgh"]
    systems = {"a": {"1": ["abcx", "x", "efgh"], "2": ["abcd", "", "efgx"]}, "b": ["abcd", "", "efgh"]}
    assert rate_of(references, systems, make_regime(exclusions=exclusions)) == {"a": 2 / 16, "b": 0}


def test_missing_outputs_and_joined_texts_are_those_of_every_run(compare, rate_of, make_regime):
    references, ocr = ["abcd", "efgh"], ["abcd", "eggh"]
    systems = {"a": {"1": ["abcx", "efgh"], "2": ["abcd", None]}, "ocr": ocr}
    imputed = make_regime(missing={"impute": "ocr"}, averaging=["micro", "whole"])
    assert rate_of(references, systems, make_regime(missing="drop")) == {"a": 1 / 8, "ocr": 0}
    assert [rate_of(references, systems, imputed, place) for place in (0, 1)] == [
        dict.fromkeys(systems, 1 / length) for length in (8, 9)
    ]
    assert "'2'" in compare(references, systems, [make_regime(averaging=["whole"])]).not_applied["own cer whole"]


def test_a_group_column_that_is_not_there_or_nothing_left_is_named(compare, make_regime):
    result = compare(["ab"], {"a": ["ab"]}, [make_regime(exclusions={"groups": {"lang": ["fr"]}})])
    assert "unknown group column 'lang' in exclusions.groups" in result.not_applied["own"]
    result = compare(["ab"], {"a": ["ab"]}, [make_regime(exclusions={"references": "a"})])
    assert result.not_applied["own"] == "regime 'own' leaves out every segment."
    result = compare([""], {"a": ["ab"]}, [make_regime(exclusions={"empty_references": True})])
    assert "all references are empty" in result.not_applied["own cer micro"]


def test_the_first_reading_counts_or_the_one_that_fits_best(compare, make_regime):
    references, systems = ["{ going to / gonna } go"], {"a": {"1": ["gonna go"], "2": ["gonna go"]}}
    regimes = [make_regime(id=readings, readings=readings, rates={"wer": {}}) for readings in ("first", "aligned")]
    first, aligned = compare(references, systems, regimes, alternatives="references").scores
    assert first.systems["a"].rate == pytest.approx(2 / 3)
    assert aligned.systems["a"].rate == 0
    assert "alternatives:references-aligned" in str(aligned.signature)
    assert "alternatives" not in str(first.signature)


def test_another_winner_and_another_verdict_are_named(compare, make_regime):
    references = ["alpha beta gamma delta"] * 12
    systems = {"upper": [text.upper() for text in references], "lost": ["alpha beta gamma"] * 12}
    regimes = [make_regime(rates={"wer": {}}), make_regime(id="folded", rates={"wer": {}}, normalizer="lower")]
    result = compare(references, systems, regimes)
    assert describe_changes(result, str.title) == [
        "The winner by words depends on the regime: Lost under own; Upper under folded.",
        "The verdict on Lost against Upper by words depends on the regime: better under own; worse under folded.",
    ]


def test_units_are_never_compared_with_each_other(compare):
    references, systems = ["abcdefgh ij"], {"a": ["abcdefgh xy"], "b": ["xbcdefgh ix"]}
    result = compare(references, systems, ["isri", "sclite", "omnidocbench_text"])
    assert [score.unit for score in result.scores] == ["characters", *["words"] * 2, *["characters"] * 2]
    assert not any("winner" in sentence for sentence in describe_changes(result))


def test_no_regime_is_no_result_and_no_complaint(compare):
    result = compare(REFERENCES, SYSTEMS, [])
    assert (result.scores, result.not_applied, describe_changes(result)) == ((), {}, [])
