import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.features.paper.manuscript import lint_manuscript
from misread.features.paper.result_values import ResultValue
from misread.tables.number_text import RateFormat

VALUES = {
    "das22.pero.cer.micro": ResultValue(0.030123, "rate"),
    "das22.kraken-vs-pero.cer.difference": ResultValue(0.1256, "difference"),
    "das22.pero-vs-kraken.cer.difference": ResultValue(-0.1256, "difference"),
    "das22.pero-vs-kraken.cer.pvalue_adjusted": ResultValue(0.0002, "pvalue"),
    "das22.pero.cer.length": ResultValue(2923, "count"),
}


def messages(source, rates=RateFormat()):  # noqa: B008
    return [problem.message for problem in lint_manuscript(source, VALUES, rates).problems]


def tag(key, shown):
    return rf"\misread{{das22.{key}}}{{{shown}}}"


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("pero.cer.micro", "3"),
        ("pero.cer.micro", "3.0"),
        ("pero.cer.micro", "3.01"),
        ("pero.cer.micro", r"$3.0123$\,\%"),
        ("pero.cer.micro", r"\textbf{3.01}~\%"),
        ("pero.cer.micro", "3{,}01"),
        ("pero.cer.micro", r"\num{3.01}"),
        ("kraken-vs-pero.cer.difference", "$+12.56$"),
        ("kraken-vs-pero.cer.difference", "12.6"),
        ("pero-vs-kraken.cer.difference", "$-12.56$"),
        ("pero-vs-kraken.cer.difference", "\N{MINUS SIGN}12.56"),
        ("pero-vs-kraken.cer.difference", "--12.56"),
        ("pero-vs-kraken.cer.pvalue_adjusted", "$< 0.001$"),
        ("pero-vs-kraken.cer.pvalue_adjusted", r"\textless 0.001"),
        ("pero-vs-kraken.cer.pvalue_adjusted", "0.0002"),
        ("pero-vs-kraken.cer.pvalue_adjusted", ".0002"),
        ("pero.cer.length", "2923"),
        ("pero.cer.length", r"2\,923"),
        ("pero.cer.length", "2,923"),
        ("pero.cer.length", "2{,}923"),
    ],
)
def test_a_number_rounded_to_its_digits_is_right_however_it_is_typeset(key, shown):
    assert messages(tag(key, shown)) == []


@pytest.mark.parametrize(
    ("key", "shown", "message"),
    [
        ("pero.cer.micro", "3.1", "das22.pero.cer.micro is 3.0, not 3.1"),
        ("pero.cer.micro", "3.02", "das22.pero.cer.micro is 3.01, not 3.02"),
        ("pero.cer.micro", "0.0301", "das22.pero.cer.micro is 3.0123, not 0.0301"),
        ("pero-vs-kraken.cer.difference", "12.56", "das22.pero-vs-kraken.cer.difference is -12.56, not 12.56"),
        ("pero-vs-kraken.cer.pvalue_adjusted", "<0.0001", "is 0.0002, not below 0.0001"),
        ("pero.cer.length", "2924", "das22.pero.cer.length is 2923, not 2924"),
        ("pero.cer.micro", "about 3", "'about 3' is not a number that can be compared with 3.01"),
        ("pero.cer.micro", "", "'' is not a number"),
    ],
)
def test_a_wrong_number_is_named_with_the_right_one(key, shown, message):
    (found,) = messages(tag(key, shown))
    assert message in found


@given(st.floats(0, 2), st.integers(0, 6))
def test_what_the_tables_write_is_right_with_any_digits(rate, digits):
    rates = RateFormat(digits)
    source = rf"\misread{{a}}{{{rates.rate(rate)}}}"
    assert lint_manuscript(source, {"a": ResultValue(rate, "rate")}, rates).problems == ()


def test_fractions_are_checked_where_the_report_shows_them():
    assert messages(tag("pero.cer.micro", "0.0301"), RateFormat(4, "fraction")) == []
    assert messages(tag("pero.cer.micro", r"3.01\,\%"), RateFormat(4, "fraction")) == []


def test_an_unknown_key_gets_the_nearest():
    (found,) = messages(tag("per.cer.micro", "3"))
    assert found.startswith("unknown key 'das22.per.cer.micro'; did you mean das22.pero.cer.micro")
    assert messages(r"\misread{x}{3}") == ["unknown key 'x'; `misread paper macros` lists all keys"]
    assert "unknown key" in messages(r"\misreadvalue{das22.pero.cer.mikro}")[0]


def test_lines_are_counted_and_comments_are_no_text():
    source = (
        "one\n% " + tag("pero.cer.micro", "9") + "\n50\\% " + tag("pero.cer.micro", "9") + "\n\\\\% " + tag("x", "1")
    )
    result = lint_manuscript(source, VALUES, RateFormat())
    assert [problem.line for problem in result.problems] == [3]
    assert result.checked == 1


def test_a_tag_may_be_broken_over_lines():
    assert messages("\\misread{das22.pero.%\n  cer.micro}\n  {3.01}") == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (r"\misread{das22.pero.cer.micro", "never closed"),
        (r"\misread{das22.pero.cer.micro} and more", "has no number after it"),
        (r"\misread{das22.pero.cer.micro}{3.01", "has no number after it"),
    ],
)
def test_a_tag_that_is_not_whole_is_named(source, message):
    assert message in messages(source)[0]


def test_the_macros_themselves_are_no_tags():
    from misread.features.paper.result_values import render_macros

    result = lint_manuscript(render_macros(VALUES, RateFormat()), VALUES, RateFormat())
    assert (result.checked, result.problems) == (0, ())
    assert lint_manuscript(r"\newcommand{\rate}[1]{\misread{#1}{3}}", VALUES, RateFormat()).checked == 0
