"""Fields extracted from documents."""

from __future__ import annotations

import pytest

from misread.spec import field_extraction_f1

TRUTH = {"invoice_number": "INV-2024-001", "date": "2024-03-15", "total": "$150.00", "vendor": "Acme Corp"}


def test_the_worked_example_of_the_specification() -> None:
    found = {"invoice_number": "INV-2024-001", "date": "2024-03-15", "total": "$15O.OO", "customer": "John Doe"}
    scores = field_extraction_f1(reference=TRUTH, hypothesis=found)
    assert (scores.field_precision, scores.field_recall, scores["field_f1"]) == (0.5, 0.5, 0.5)
    assert scores.correct_fields == ["date", "invoice_number"]
    assert (scores.missing_fields, scores.incorrect_fields, scores.extra_fields) == (
        ["vendor"],
        ["total"],
        ["customer"],
    )


def test_white_space_at_the_ends_and_case_do_not_count() -> None:
    assert field_extraction_f1(reference={"vendor": "Acme Corp"}, hypothesis={"vendor": " ACME corp\n"}).field_f1 == 1.0


@pytest.mark.parametrize(("truth", "found"), [({}, {}), (TRUTH, {}), ({}, TRUTH)])
def test_nothing_on_a_side_gives_zero(truth: dict[str, str], found: dict[str, str]) -> None:
    scores = field_extraction_f1(reference=truth, hypothesis=found)
    assert (scores.field_precision, scores.field_recall, scores.field_f1) == (0.0, 0.0, 0.0)


def test_values_that_are_no_text_are_compared_as_text() -> None:
    assert field_extraction_f1(reference={"n": 5, "none": None}, hypothesis={"n": "5", "none": "None"}).field_f1 == 1.0
