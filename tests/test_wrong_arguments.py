"""Every public function given what it does not take: an answer in one line, never a traceback or a number."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

import misread
from misread.alignment import align_alternatives, column_grid
from misread.errors import InputTypeError, MisreadError
from misread.stats import (
    adjust,
    mcnemar_test,
    paired_t_test,
    randomisation_test,
    run_effect_test,
    sign_test,
    wilcoxon_signed_rank,
)
from misread.stats.design.power import design_effect
from misread.stats.significance.equivalence import paired_t_equivalence
from misread.stats.significance.randomisation import sign_flip


def public(name):
    """A function of the root, or under a name of the specifications."""
    return getattr(misread if name in misread.__all__ else misread.spec, name)


ONE_TEXT = {
    name: public(name)
    for name in (
        *("align", "exact_line_prf_from_text", "get_edit_operations", "line_accuracy", "reverse_line_accuracy"),
    )
} | {"evaluate_prediction": lambda reference, hypothesis: misread.spec.evaluate_prediction(reference, hypothesis, "id")}
LISTS = {name: public(name) for name in ("cer_wer_batch", "exact_line_prf", "sentence_error_rate")}
EITHER = {
    name: public(name)
    for name in (
        *("cer", "confusion_matrix", "confusion_rate", "distances", "edit_distance"),
        *("error_counts", "errors_by_block", "errors_by_category", "ger", "mer", "normalized_edit_distance"),
        *("ser", "wer", "wil", "wip", "wrong_words"),
    )
} | {"align_alternatives": align_alternatives}
# The items of their lists may be anything that can be compared.
ITEMS = ("edit_distance", "normalized_edit_distance")
ALL = ONE_TEXT | LISTS | EITHER

# Each in place of a side; the other side is what the function takes.
NOWHERE = (*(None, 3, b"ab", {"p1": "ab"}, {"ab"}), *(np.array("ab"), np.array([["ab"]]), pd.DataFrame({"ab": ["x"]})))


def by_name(functions):
    return pytest.mark.parametrize("function", functions.values(), ids=functions)


def refusal(function, *arguments):
    """What is said of arguments that are refused."""
    try:
        result = function(*arguments)
    except InputTypeError as error:
        return str(error)
    raise AssertionError(f"{arguments!r} gave {result!r}")


@by_name(ALL)
def test_what_is_not_text_is_refused_on_either_side(function):
    right = ["ab"] if function in LISTS.values() else "ab"
    for wrong in NOWHERE:
        for sides in ((wrong, right), (right, wrong), (wrong, wrong), (["ab"], wrong)):
            assert "\n" not in refusal(function, *sides)


@by_name(ONE_TEXT)
def test_a_list_where_one_text_is_expected_is_refused(function):
    for sides in ((["a"], ["a"]), (["a"], "a"), ("a", ["a"]), ("a", pd.Series(["a"]))):
        assert "expected one text" in refusal(function, *sides)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("get_edit_operations", "error_counts"),
        ("exact_line_prf_from_text", "exact_line_prf"),
        ("align", r"misread\.alignment\.find_operations"),
    ],
)
def test_the_function_for_many_texts_is_named(one, many):
    with pytest.raises(InputTypeError, match=f"; {many} takes many"):
        public(one)(["a", "b"], ["a", "b"])


@by_name(LISTS)
def test_one_text_where_a_list_is_expected_is_not_taken_for_its_letters(function):
    for sides in (("ab", "ab"), ("ab", ["ab"]), (["ab"], "ab")):
        said = refusal(function, *sides)
        assert re.search(r"is one string, expected a list of texts; .* takes one text", said)


@by_name(LISTS | {name: of for name, of in EITHER.items() if name not in ITEMS})
def test_what_is_not_text_among_texts_is_named_by_its_place(function):
    for place, *sides in (
        (1, ["a", None], ["a", "b"]),
        (1, ["a", "b"], ["a", None]),
        (0, ["a"], [b"a"]),
        (0, [1.5], ["a"]),
    ):
        assert re.search(rf"\b{place}\b", refusal(function, *sides))


@by_name(LISTS | EITHER)
def test_texts_come_in_anything_that_has_an_order(function):
    references, hypotheses = ["one two", "three"], ["one too", "there"]
    expected = function(references, hypotheses)
    for make in (tuple, iter, np.array, pd.Series, lambda texts: (text for text in texts)):
        assert str(function(make(references), make(hypotheses))) == str(expected)


@by_name({name: EITHER[name] for name in ITEMS})
def test_items_that_cannot_be_compared_are_refused(function):
    with pytest.raises(InputTypeError, match="reference holds an item of type list"):
        function([["a"]], ["a"])


WRONG_NUMBERS = {
    "precision_recall_f1": lambda wrong: misread.spec.precision_recall_f1(wrong, 1, 1),
    "throughput": lambda wrong: misread.spec.throughput(wrong, 1.0),
    "throughput, seconds": lambda wrong: misread.spec.throughput(1, wrong),
    "throughput, lines": lambda wrong: misread.spec.throughput(1, 1.0, lines=wrong or "0"),
    "percentile": lambda wrong: misread.spec.LatencyMeter([1.0]).percentile(wrong),
    "fairness": lambda wrong: misread.spec.fairness({"group": wrong}),
    "fairness, rates": misread.spec.fairness,
    "anls": lambda wrong: misread.anls("a", "a", threshold=wrong),
    "confusion_matrix": lambda wrong: misread.spec.confusion_matrix("a", "a", top=wrong),
    "wrong_words": lambda wrong: misread.wrong_words("a", "a", top=wrong),
    "distances": lambda wrong: misread.distances("a", "a", score_hint=wrong or "0"),
    "bootstrap_ci": misread.spec.bootstrap_ci,
    "bootstrap_ci, confidence": lambda wrong: misread.spec.bootstrap_ci([1.0, 2.0], wrong),
    "bootstrap_ci, seed": lambda wrong: misread.spec.bootstrap_ci([1.0, 2.0], seed=wrong),
    "paired_t": paired_t_test,
    "paired_t, confidence": lambda wrong: paired_t_test([1.0, 2.0], confidence=wrong),
    "sign_test": sign_test,
    "wilcoxon": wilcoxon_signed_rank,
    "adjust": lambda wrong: adjust(wrong, method="holm"),
    "design_effect": lambda wrong: design_effect(wrong, [1], [1]),
    "sign_flip": lambda wrong: sign_flip(wrong, length=1, resamples=9, seed=1, alpha=0.05),
    "paired_t_equivalence": lambda wrong: paired_t_equivalence(wrong, margin=0.1),
    "mcnemar": lambda wrong: mcnemar_test(wrong, [True]),
    "mcnemar, confidence": lambda wrong: mcnemar_test([True], [False], confidence=wrong),
}


@by_name(WRONG_NUMBERS)
def test_what_is_not_a_number_is_refused(function):
    for wrong in (None, "1", b"1", ["1"], {"a": "1"}):
        assert refusal(function, wrong)


OTHERS = {
    "evaluate_downstream_task": lambda: misread.spec.evaluate_downstream_task(None, reference={}, hypothesis={}),
    "downstream_success_rate": lambda: misread.spec.downstream_success_rate([{"task_success": True}]),
    "downstream_success_rate, one": lambda: misread.spec.downstream_success_rate(None),
    "field_extraction_f1, rules": lambda: misread.spec.field_extraction_f1(reference={}, hypothesis={}, rules=None),
    "field_extraction_f1, rule": lambda: misread.spec.field_extraction_f1(
        reference={"a": 1}, hypothesis={}, rules={"a": "date"}
    ),
    "field rule, formats": lambda: misread.FieldRule(date_formats="%Y"),
    "field rule, no value": lambda: misread.FieldRule(no_value="None"),
    "field rule, alternatives": lambda: misread.FieldRule(alternatives={"Christ, Paul": "Herr Christ"}),
    "token_efficiency": lambda: misread.spec.token_efficiency(["a"]),
    "token_efficiency, model": lambda: misread.spec.token_efficiency("a", model=["gpt-4"]),
    "token_efficiency, prices": lambda: misread.spec.token_efficiency("a", prices=None),
    "validate_xml_output, required": lambda: misread.spec.validate_xml_output("<a/>", required="total"),
    "column_grid": lambda: column_grid("a", ["a"]),
    "column_grid, texts": lambda: column_grid("a", {"system": ["a"]}),
    "anls, answers": lambda: misread.anls(["a", None], "a"),
    "token_accuracy": lambda: misread.spec.token_accuracy(["a", 1], ["a", "b"]),
}


@by_name(OTHERS)
def test_another_wrong_type_is_refused_too(function):
    with pytest.raises(InputTypeError):
        function()


@pytest.mark.parametrize("top", [-1, -10])
def test_a_negative_length_of_a_list_is_refused(top):
    with pytest.raises(MisreadError, match=f"top is {top}, expected 0 or more"):
        misread.spec.confusion_matrix("ab", "xy", top=top)


def test_reference_and_hypothesis_are_named_where_the_specification_has_another_order():
    for function, before in (
        (misread.spec.field_extraction_f1, ()),
        (misread.spec.evaluate_downstream_task, ("extraction",)),
    ):
        with pytest.raises(TypeError, match="positional argument"):
            function(*before, {"total": "1"}, {"total": "2"})


def test_statistics_take_lists_as_they_take_arrays():
    differences = [0.02, 0.01, -0.03, 0.05]
    for test in (paired_t_test, sign_test, wilcoxon_signed_rank):
        assert test(differences) == test(np.array(differences)) == test(pd.Series(differences, index=[3, 2, 1, 0]))
    assert sign_flip([-3, 1], length=9, resamples=9, seed=1, alpha=0.05).n == 2


def test_draws_take_whole_numbers_of_numpy():
    counts, rate = np.arange(140).reshape(2, 35, 2) ** 2 % 9, misread.METRICS["ser"].rate
    for test in (partial(randomisation_test, *counts, rate, alpha=0.05), partial(run_effect_test, counts, rate)):
        assert test(resamples=np.uint8(250), seed=np.uint64(1)) == test(resamples=250, seed=1)
    assert design_effect([2, 2, 0, 0], [10, 10, 10, 10], [0, 0, 1, 1]) == 2.0


def test_flags_may_be_ones_and_zeros_and_nothing_else():
    assert mcnemar_test([1, 1, 0], [0, 1, 0]).extra == mcnemar_test([True, True, False], [False, True, False]).extra
    with pytest.raises(InputTypeError, match="numbers other than 0 and 1"):
        mcnemar_test([2, 1], [0, 1])
    with pytest.raises(InputTypeError, match="holds float64"):
        mcnemar_test([0.0, 1.0], [True, True])
