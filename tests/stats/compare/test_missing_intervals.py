import numpy as np
import pytest
import scipy.stats

from misread import evaluate
from misread.io.json_files import to_plain

LINE = "abcdefghij"


def evaluated(lengths, wrong, **options):
    """A system with one page for each length in lines, of which so many letters in all are wrong."""
    pages = [f"p{page}" for page, lines in enumerate(lengths) for _ in range(lines)]
    ends = np.cumsum(lengths) - 1
    hypotheses = [LINE] * len(pages)
    for end, errors in zip(ends, wrong, strict=True):
        hypotheses[end] = "x" * errors + LINE[errors:]
    return evaluate(
        [LINE] * len(pages), {"a": hypotheses}, clusters=pages, metrics=["cer"], seed=1, resamples=99, **options
    )


def test_a_page_that_holds_most_of_the_text_is_named_with_the_rates_without_each_page():
    result = evaluated([12, 1, 2, 1, 2, 2], [6, 1, 1, 0, 1, 1])
    rate = result.systems["a"]["cer"]
    assert rate.interval is None
    # 10 errors in 200 letters; without p0 4 in 80, without p3, which has no error, 10 in 190.
    assert rate.interval_reason.startswith(
        "6 clusters leave 1.5 effective degrees of freedom, and an interval needs 3:"
    )
    assert "'p0' holds 60 % of what is counted. " in rate.interval_reason
    assert rate.interval_reason.endswith("Without one cluster the rate is 4.74 to 5.26 %.")
    assert [warning for warning in result.warnings if warning.startswith("cer: no interval of a. 6 clusters leave")]


@pytest.mark.parametrize("render", ["to_markdown", "to_latex", "to_html", "__str__"])
def test_tables_have_a_sign_in_place_of_the_interval_and_the_reason_below(render):
    text = getattr(evaluated([12, 1, 2, 1, 2, 2], [6, 1, 1, 0, 1, 1]), render)()
    assert "[--]" in text
    assert "effective degrees of freedom" in " ".join(text.split())


def test_json_has_no_interval_and_the_reason():
    rate = to_plain(evaluated([2, 2, 2], [1, 2, 1]).systems["a"]["cer"])
    assert rate["confidence_interval"] is None
    assert rate["interval_reason"] == (
        "3 clusters leave 2.0 effective degrees of freedom, and an interval needs 3. Without one cluster the rate is "
        "5.00 to 7.50 %."
    )


def test_without_any_error_the_interval_has_an_upper_end_and_a_warning_says_how_many_pages_may_have_some():
    result = evaluated([2] * 12, [0] * 12)
    interval = result.systems["a"]["cer"].interval
    assert (interval.low, 0 < interval.high < 0.05) == (0.0, True)
    # None of 12 pages has an error: 26 % with errors would give such a sample in 2.5 % of all cases.
    assert scipy.stats.binom.pmf(0, 12, 0.265) == pytest.approx(0.025, abs=0.001)
    assert "a: no error in any of 12 clusters (cer); up to 26 % of all clusters may have errors." in result.warnings
    assert not any("no error" in warning for warning in evaluated([2] * 12, [1] + [0] * 11).warnings)


def test_four_pages_of_one_size_have_an_interval_and_no_reason():
    rate = evaluated([2, 2, 2, 2], [1, 1, 1, 1]).systems["a"]["cer"]
    assert (rate.interval is None, rate.interval_reason) == (False, "")
