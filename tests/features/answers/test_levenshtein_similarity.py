"""Normalized Levenshtein similarity of answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.errors import AnswerError, ConfigurationError
from misread.features.answers.levenshtein_similarity import anls, answer_similarities

ANSWERS = st.text("abc İß", max_size=6)


def slow_anls(accepted: list[str], answer: str) -> float:
    """The paper's definition on rapidfuzz: the oracle."""
    texts = [" ".join(text.lower().split()) for text in (*accepted, answer)]
    scores = [1 - Levenshtein.normalized_distance(text, texts[-1]) for text in texts[:-1]]
    return max(score if score > 0.5 else 0.0 for score in scores)


@given(st.lists(st.tuples(st.lists(ANSWERS, min_size=1, max_size=3), ANSWERS), min_size=1, max_size=4))
def test_every_question_has_the_score_of_the_papers_definition(questions: list[tuple[list[str], str]]) -> None:
    accepted, answers = zip(*questions, strict=True)
    expected = [slow_anls(*question) for question in questions]
    assert answer_similarities(accepted, answers).tolist() == pytest.approx(expected)


def test_an_answer_at_the_threshold_counts_as_another_one() -> None:
    assert anls("ab", "ac") == 0.0
    assert anls("abc", "abd") == pytest.approx(2 / 3)
    assert anls("ab", "ac", threshold=0.6) == 0.5


def test_no_questions_have_no_scores() -> None:
    assert answer_similarities([], []).tolist() == []


def test_a_question_without_an_accepted_answer_is_refused() -> None:
    with pytest.raises(AnswerError, match="no accepted answer"):
        anls([], "a")


@pytest.mark.parametrize("threshold", [0.0, 1.5, float("nan")])
def test_a_threshold_out_of_range_is_refused(threshold: float) -> None:
    with pytest.raises(ConfigurationError, match="threshold of ANLS"):
        anls("a", "a", threshold=threshold)
