"""Published scores of three vision-language models on letters, by the rules of that benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from misread.metrics import FieldMatch, FieldRule, field_extraction_f1, summarize
from misread.metrics.base import ScoredText
from misread.normalize import get_normalizer

LETTERS = 57


@pytest.fixture
def letters(shared_data: Path) -> Path:
    return shared_data / "rise_letters"


@pytest.fixture
def rules(letters: Path) -> dict[str, FieldRule]:
    """The rules of the benchmark: sets of persons by name or alternative name, the first date."""
    persons = json.loads((letters / "ground_truths" / "persons.json").read_text(encoding="utf-8"))
    person = FieldRule(
        compare="exact",
        items="set",
        alternatives={person["name"]: person["alternateName"] for person in persons},
        no_value=("None", "null", ""),
        # Persons inferred from function or correspondence stand in angle brackets.
        not_asked="<.*",
    )
    return {"send_date": FieldRule("date", "first"), "sender_persons": person, "receiver_persons": person}


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
    letters: Path, rules: dict[str, FieldRule], model: str
) -> None:
    pairs = read(letters, model)
    assert len(pairs.references) == LETTERS
    published = json.loads((letters / "answers" / model / "scoring.json").read_text(encoding="utf-8"))
    for average, key in (("values", "f1_micro"), ("fields", "f1_macro")):
        metric = FieldMatch("field_f1", rules=rules, average=average)
        assert metric.problems(pairs.references) == {}
        found = summarize(metric, metric.count(pairs)).micro
        assert found == pytest.approx(published[key], abs=1e-12)


def test_the_worked_example_of_the_benchmark(letters: Path, rules: dict[str, FieldRule]) -> None:
    truth = json.loads((letters / "ground_truths" / "letter01.json").read_text(encoding="utf-8"))
    answer = {
        "send_date": ["1926-02-16"],
        "sender_persons": ["Basler Rheinschiffahrt-Aktiengesellschaft"],
        "receiver_persons": ["Herr Christ", "i/Fa. Paravicini, Christ & Co."],
    }
    scores = field_extraction_f1(reference=truth, hypothesis=answer, rules=rules)
    # TP, FP, FN: 1, 0, 0 for the date; 0, 1, 2 for the senders; 1, 1, 0 for the receivers.
    assert (scores.field_precision, scores.field_recall) == (2 / 4, 2 / 4)
    assert (scores.correct_fields, scores.incorrect_fields) == (["send_date"], ["receiver_persons", "sender_persons"])
