import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.text.reasoning import drop_reasoning

LETTER = "Dear Sir,\nI am < well > [and] so on."


@pytest.mark.parametrize(
    "text",
    [
        LETTER,
        f"<think>hm</think>{LETTER}",
        f"<think>\n\n</think>\n\n{LETTER}",
        f" <THINKING>hm <b>hm</b></THINKING> {LETTER}",
        f"<reasoning>hm</reasoning><think>hm</think>{LETTER}",
        f"<seed:think>hm</seed:think>{LETTER}",
        f"It is a letter.</think>\n{LETTER}",
        f"It is a letter.[/THINK]{LETTER}",
        f"[THINK]hm[/THINK]{LETTER}",
        f"◁think▷hm◁/think▷{LETTER}",
        f"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{LETTER}<|return|>",
        f"<|channel|>final<|message|>{LETTER}",
        f"<|start|>assistant<|channel|>final<|message|>{LETTER}<|end|>",
        f"analysisIt is a letter.assistantfinal{LETTER}",
        f"<|begin_of_box|>{LETTER}<|end_of_box|>",
    ],
)
def test_the_answer_is_behind_reasoning_in_every_form(text):
    assert drop_reasoning(text) == LETTER


@pytest.mark.parametrize(
    "text",
    ["<think>It may be", "[THINK]It may be", "◁think▷It", "<|channel|>analysis<|message|>It", "<think>a</think> "],
)
def test_reasoning_without_an_end_or_an_answer_is_none(text):
    assert drop_reasoning(text) is None


@given(st.text(st.characters(exclude_characters="<[◁")).filter(lambda text: not text.strip().startswith("analysis")))
def test_a_text_without_marks_stays_as_it_is(text):
    assert drop_reasoning(text) == text


@given(st.lists(st.sampled_from([*"a<>/ [", "think", "</think>", "<think>", "[/THINK]", "[THINK]"])).map("".join))
def test_what_is_left_is_the_end_of_the_text(text):
    answer = drop_reasoning(text)
    assert answer is None or text.endswith(answer)


@pytest.mark.parametrize(
    "mark", ["<think>", "</", "analysis", "<|channel|>", "[THINK]", " ", "<|start|>a", "[/", "<|end|> "]
)
def test_a_long_text_of_marks_takes_no_long_time(mark):
    start = time.perf_counter()
    drop_reasoning(mark * 20_000)
    assert time.perf_counter() - start < 1
