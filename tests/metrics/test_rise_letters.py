"""Scores of letters by the rules that their benchmark publishes: of its models, and of answers that no model gave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.features.answers import FieldMatch, FieldRule
from misread.features.answers.field_counts import count_fields
from misread.metrics import summarize
from misread.metrics.base import ScoredText
from misread.normalize import get_normalizer
from misread.spec import field_extraction_f1

LETTERS = 57
DATE = "send_date"
PERSONS = ("sender_persons", "receiver_persons")
NOTHING = ("null", "None", "")


def rules_of(names: dict[str, Sequence[str]]) -> dict[str, FieldRule | None]:
    """The published rules, from the code of the benchmark.

    Of the dates given the first counts, as it is written; "null" is no date. Persons are sets, by name or alternative
    name of the persons of that letter, without white space at the ends; those in angle brackets were inferred and are
    not asked for; what is "null", "None" or empty is nobody, unless somebody is called so.
    """
    person = FieldRule("exact", "set", alternatives=names, no_value=NOTHING, not_asked="<.*>")
    return {DATE: FieldRule("exact", "first", no_value=("null",)), **dict.fromkeys(PERSONS, person), "*": None}


@pytest.fixture
def letters(shared_data: Path) -> Path:
    return shared_data / "rise_letters"


@pytest.fixture
def rules(letters: Path) -> dict[str, FieldRule | None]:
    persons = json.loads((letters / "ground_truths" / "persons.json").read_text(encoding="utf-8"))
    return rules_of({person["name"]: person["alternateName"] for person in persons})


def read(letters: Path, model: str) -> ScoredText:
    """References and answers, which come as an object in an object, in a Markdown fence, or as they are."""
    references, answers = [], []
    for path in sorted((letters / "answers" / model).glob("request*.json")):
        truth = letters / "ground_truths" / path.name.split("_")[-1]
        references.append(truth.read_text(encoding="utf-8"))
        answer = json.loads(path.read_text(encoding="utf-8"))["response_text"]
        answers.append(answer if isinstance(answer, str) else json.dumps(answer["metadata"]))
    unfenced = get_normalizer("unfenced")
    return ScoredText(references, [unfenced(answer) for answer in answers])


@pytest.mark.parametrize("model", ["T10", "T13", "T17"])
def test_published_f1_over_values_and_over_fields_is_reproduced(
    letters: Path, rules: dict[str, FieldRule | None], model: str
) -> None:
    pairs = read(letters, model)
    assert len(pairs.references) == LETTERS
    published = json.loads((letters / "answers" / model / "scoring.json").read_text(encoding="utf-8"))
    for average, key in (("values", "f1_micro"), ("fields", "f1_macro")):
        metric = FieldMatch("field_f1", rules=rules, average=average)
        assert metric.problems(pairs.references) == {}
        found = summarize(metric, metric.count(pairs)).micro
        assert found == pytest.approx(published[key], abs=1e-12)


LETTER = {
    "letter_title": ["None"],
    "send_date": ["1926-02-16"],
    "sender_persons": ["Frey, Jean", "Ritter, Oskar"],
    "receiver_persons": ["Christ, Paul"],
    "has_signatures": "TRUE",
}
ANSWER = {
    "send_date": ["1926-02-16"],
    "sender_persons": ["A Shipping Company"],
    "receiver_persons": ["Herr Christ", "c/o Somebody & Co."],
}


@pytest.mark.parametrize("prose", ["Here is the JSON:\n", ""])
@pytest.mark.parametrize("end", ["\nNo title.", ""])
def test_prose_around_the_fence_of_an_answer_changes_no_count(prose: str, end: str) -> None:
    plain, unfenced = [json.dumps(ANSWER), json.dumps(LETTER)], get_normalizer("unfenced")
    told = [unfenced(f"{prose}```json\n{answer}\n```{end}") for answer in plain]
    metric, references = FieldMatch("field_f1", rules=rules_of(NAMES)), [json.dumps(LETTER)] * 2
    assert metric.count(ScoredText(references, told)).tolist() == metric.count(ScoredText(references, plain)).tolist()


def test_the_worked_example_of_the_benchmark() -> None:
    scores = field_extraction_f1(reference=LETTER, hypothesis=ANSWER, rules=rules_of(NAMES))
    # TP, FP, FN: 1, 0, 0 for the date; 0, 1, 2 for the senders; 1, 1, 0 for the receivers.
    assert (scores.field_precision, scores.field_recall) == (2 / 4, 2 / 4)
    assert (scores.correct_fields, scores.incorrect_fields) == (["send_date"], ["receiver_persons", "sender_persons"])


NAMES = {"Christ, Paul": ["Herr Christ", "P. Christ"], "Ritter, Oskar": ["O. Ritter", ""], "Frey, Jean": []}
TRUE_PERSONS = st.lists(st.sampled_from([*NAMES, *(f"<{name}>" for name in NAMES), "<<Frey, Jean>>"]), max_size=4)
TOLD = ["Herr Christ", "P. Christ ", " O. Ritter", "", "null", "None", "none", "Null", "Basel", "herr christ", None]
TOLD_PERSONS = st.none() | st.lists(st.sampled_from([*NAMES, *TOLD]), max_size=5)
TOLD_DATE = st.sampled_from(["1926-02-16", "1926-2-16", "16.2.1926", "1926", "null", "None", "Null", "", None])


def outcomes_of_persons(truth: list[str], told: list[str | None] | None) -> tuple[int, int, int]:
    """TP, FP and FN, step by step as the benchmark has it."""
    asked = [name for name in truth if not (name.startswith("<") and name.endswith(">"))]
    found = set()
    for given_name in (name.strip() for name in told or [] if name is not None):
        meant = [name for name in asked if given_name == name or given_name in NAMES.get(name, ())]
        found.add(meant[0] if meant else given_name)
    found -= {*NOTHING}
    names = {*asked} - {"None"}
    return len(names & found), len(found - names), len(names - found)


def outcomes_of_date(truth: str, told: list[str | None] | None) -> tuple[int, int, int]:
    found = {date for date in (told or [])[:1] if date not in ("null", None)}
    return len({truth} & found), len(found - {truth}), len({truth} - found)


@pytest.mark.slow
@settings(max_examples=3 * settings.default.max_examples)
@given(st.data())
def test_answers_that_no_model_gave_are_counted_by_the_published_rules(data: st.DataObject) -> None:
    truth: dict[str, Any] = {DATE: ["1926-02-16"]}
    told: dict[str, Any] = {DATE: data.draw(st.none() | st.lists(TOLD_DATE, max_size=2))}
    expected = {DATE: outcomes_of_date("1926-02-16", told[DATE])}
    for field in PERSONS:
        truth[field] = data.draw(TRUE_PERSONS | st.just(["None"]))
        told[field] = data.draw(TOLD_PERSONS)
        expected[field] = outcomes_of_persons(truth[field], told[field])
    counts = count_fields(truth, told, rules_of(NAMES))
    for field, outcomes in expected.items():
        correct, asked, given_values = counts[field]
        assert (correct, given_values - correct, asked - correct) == outcomes, field
