"""`misread plan predict`."""

import pytest

ROWS = [
    {"id": f"l{row}", "page": f"p{row // 3}", "text": "the quick brown fox", "a": text}
    for row, text in enumerate(
        ["the quick brown fox", "the quich brown fox", "te quick brown fox", "the quick brwn fx"] * 6
    )
]
OPTIONS = ("--ref", "text", "--hyp", "a=a", "--id", "id")


@pytest.fixture
def table(write_table):
    return ("--table", write_table("jsonl", ROWS), *OPTIONS)


def test_the_rate_of_the_rest_is_that_of_the_sample_by_page(misread, table):
    options = ("--cluster", "page", "--rest", "100", "--target-width", "0.02", "--output", "json")
    found = misread("plan", "predict", *table, *options).json
    of = found["predictions"]["cer"]["a"]
    assert found["unit"] == "page"
    assert (of["checked"], of["rest"], of["rate"]) == (8, 100, 24 / 24 / 19)
    assert of["interval"]["low"] < of["whole"]["low"] < of["rate"] < of["whole"]["high"] < of["interval"]["high"]


def test_the_table_says_what_it_holds_for(misread, table):
    done = misread("plan", "predict", *table, "--cluster", "page", "--rest", "100", "--target-width", "0.001")
    assert "CER to expect on 100 pages that were not checked; 8 were." in done.out
    assert "never /" in done.out or "/" in done.out
    assert "It holds only if the checked pages are a random sample" in done.out
    plain = misread("plan", "predict", *table, "--metrics", "cer,exact_line_f1")
    assert "very many segments" in plain.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--rest", "0"), "rest is 0, expected 1 or more"),
        (("--target-width", "-1"), "the wanted width is -1.0"),
        (("--target-width", "1e308"), "the wanted width is 1e+308, expected a number above 0 and up to 1e+50"),
        (("--metrics", "ccer"), "unknown metric 'ccer'"),
        (("--cluster", "text"), "a prediction needs at least 2 checked texts"),
    ],
)
def test_what_cannot_be_predicted_is_refused(misread, table, options, words):
    done = misread("plan", "predict", *table, *options)
    assert done.status == 1
    assert words in done.err


def with_kinds(write_table, split=False):
    rows = [
        row | {"kind": "print" if number < (12 if not split else 11) else "script"} for number, row in enumerate(ROWS)
    ]
    return ("--table", write_table("jsonl", rows), *OPTIONS, "--cluster", "page", "--strata", "kind")


def test_strata_are_weighted_by_what_was_not_checked(misread, write_table):
    table = with_kinds(write_table)
    done = misread("plan", "predict", *table, "--rest", "print=30,script=10", "--output", "json")
    of = done.json["predictions"]["cer"]["a"]
    assert (of["checked"], of["rest"]) == (8, 40)
    shown = misread("plan", "predict", *table, "--rest", "print=30,script=10").out
    assert "are a random sample of each stratum (kind)" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--strata needs --rest with the number of unchecked pages of each stratum, as print=300,script=180"),
        (("--rest", "40"), "--rest '40': expected numbers of strata, as print=300,script=180"),
        (("--rest", "print=30"), "--rest lacks the stratum 'script'; 0 if all of it was checked"),
        (("--rest", "print=30,scrpt=9"), "unknown stratum 'scrpt' in --rest. Did you mean 'script'?"),
        (("--rest", "print=many,script=9"), "--rest is 'print=many,script=9', expected numbers of strata"),
    ],
)
def test_strata_without_their_numbers_are_refused(misread, write_table, options, words):
    done = misread("plan", "predict", *with_kinds(write_table), *options)
    assert done.status == 1
    assert words in done.err


def test_a_page_in_two_strata_is_refused(misread, write_table):
    done = misread("plan", "predict", *with_kinds(write_table, split=True), "--rest", "print=30,script=9")
    assert done.status == 1
    assert "one page lies in two strata of 'kind'" in done.err
