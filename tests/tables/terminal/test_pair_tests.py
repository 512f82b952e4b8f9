import io
from dataclasses import replace

from rich.console import Console

from misread import stats
from misread.tables.terminal.pair_tests import print_tests

TEST = stats.TestResult(
    name="wilcoxon_signed_rank",
    statistic=3.0,
    pvalue=0.0123,
    pvalue_adjusted=0.0246,
    n=37,
    dropped=20,
    method="exact",
    unit="segment",
    effect_size=0.5,
    effect_size_name="rank_biserial",
    notes=("Zero differences dropped: 20 of 57.",),
)


def shown(result, width=80):
    console = Console(file=io.StringIO(), width=width)
    print_tests(result, console)
    return console.file.getvalue().splitlines()


def with_tests(make_result):
    result = make_result({"a": 0.1, "b": 0.2})
    tests = {"wilcoxon": TEST, "sign": replace(TEST, notes=())}
    return replace(result, comparisons=(replace(result.comparisons[0], tests=tests, decided_by="sign"),))


def test_a_row_has_the_numbers_of_a_test(make_result):
    (line,) = (line for line in shown(with_tests(make_result)) if line.startswith("wilcoxon  "))
    assert line.split() == ["wilcoxon", "3", "0.012", "0.025", "37", "segments", "0.5", "(rank", "biserial)"]


def test_the_test_that_decides_is_marked(make_result):
    lines = shown(with_tests(make_result))
    assert any(line.startswith("sign *") for line in lines)
    assert any(line.startswith("* decides") for line in lines)


def test_notes_stand_below_by_the_name_of_their_test(make_result):
    assert shown(with_tests(make_result))[-1] == "wilcoxon: Zero differences dropped: 20 of 57."
