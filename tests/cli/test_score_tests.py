import pytest

QUICK = ("--resamples", "99")
KEYS = {
    "mapsswe": {"segments", "mean", "sd", "pvalue_t"},
    "mcnemar": {"b", "c", "midp"},
    "wilcoxon": {"zeros"},
    "sign": {"positive", "negative", "ties"},
    "paired_t": {"mean_difference", "df"},
    "bootstrap": {"interval"},
    "randomisation": {"smallest_pvalue"},
}


@pytest.fixture
def two(write_lines):
    """Two systems on six lines."""
    reference = ["the quick brown fox", "jumps over", "the lazy dog", "one two three", "four five", "six"]
    first = [*reference[:5], "sex"]
    second = ["the quick frown box", "jumps over", "a lazy dog", "one too three", "for five", "six"]
    names = {"r": reference, "a": first, "b": second}
    files = {name: write_lines(f"{name}.txt", "\n".join(lines) + "\n") for name, lines in names.items()}
    return "--ref", files["r"], "--hyp", f"a={files['a']}", "--hyp", f"b={files['b']}", *QUICK


def test_every_test_reports_its_numbers_under_their_names(misread, two):
    done = misread("score", *two, "--metrics", "wer", "--tests", ",".join(KEYS), "--output", "json")
    tests = done.json["comparisons"][0]["tests"]
    assert list(tests) == list(KEYS)
    for name, keys in KEYS.items():
        assert set(tests[name]) >= {"statistic", "pvalue", "pvalue_adjusted", "n", "effect_size", "method", "notes"}
        assert keys <= {*tests[name], *tests[name]["extra"]}


def test_mcnemar_and_mapsswe_count_what_can_be_counted_by_hand(misread, two):
    done = misread("score", *two, "--metrics", "wer", "--tests", "mcnemar,mapsswe", "--output", "json")
    mcnemar, mapsswe = (done.json["comparisons"][0]["tests"][name]["extra"] for name in ("mcnemar", "mapsswe"))
    assert (mcnemar["b"], mcnemar["c"]) == (4, 1)
    assert (mapsswe["segments"], mapsswe["errors_a"], mapsswe["errors_b"]) == (5, 1, 5)


def test_the_deciding_test_is_made_even_if_it_is_not_named(misread, two):
    pair = misread("score", *two, "--tests", "sign", "--output", "json").json["comparisons"][0]
    assert (list(pair["tests"]), pair["decided_by"]) == (["sign", "randomisation"], "randomisation")


def test_the_tests_are_printed_below_the_rates(misread, two):
    done = misread("score", *two, "--metrics", "cer,wer", "--tests", "mapsswe,sign")
    assert (done.status, done.err) == (0, "")
    assert "WER: b against a" in done.out
    assert [line.split()[0] for line in done.out.splitlines() if line.startswith(("mapsswe  ", "sign  "))] == [
        *("mapsswe", "sign"),
        *("mapsswe", "sign"),
    ]
    assert max(map(len, done.out.split("WER: b against a")[1].split("* decides")[0].splitlines())) <= 80


def test_without_tests_none_are_printed(misread, two):
    assert "* decides" not in misread("score", *two).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("--report", "standards", "--output", "csv"), "--report is printed with --output table or json, not with csv.")],
)
def test_a_wrong_choice_is_one_line(misread, two, arguments, message):
    done = misread("score", *two, *arguments)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"error: {message}")


def test_a_margin_makes_a_test_of_equivalence(misread, write_lines):
    lines = ["the quick brown fox"] * 40
    files = [write_lines(f"{name}.txt", "\n".join(lines) + "\n") for name in "rab"]
    systems = ("--ref", files[0], "--hyp", f"a={files[1]}", "--hyp", f"b={files[2]}", *QUICK, "--metrics", "cer")
    (pair,) = misread("score", *systems, "--margin", "0.01", "--output", "json").json["comparisons"]
    assert (pair["equivalence"]["extra"]["margin"], pair["verdict"]) == (0.01, "equivalent")
