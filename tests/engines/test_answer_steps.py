import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.engines.answer_steps import ANSWER_STEPS


@pytest.mark.parametrize(
    ("step", "answer", "text"),
    [
        ("drop_boxes", "one<|det|>[[1, 2, 3, 4]]<|/det|> two", "one two"),
        ("drop_boxes", "<|det|>[[1, 2, 3, 4]]<|/det|>\none", "one"),
        ("drop_boxes", "one\n<|det|>[[1,\n2]]<|/det|>\ntwo", "one\ntwo"),
        ("drop_boxes", "<|det|>[[1, 2", "<|det|>[[1, 2"),
        ("drop_boxes", "[[1, 2, 3, 4]]", "[[1, 2, 3, 4]]"),
        ("drop_labels", "<|ref|>title<|/ref|># One", "# One"),
        ("drop_labels", "<|ref|>a<|/ref|>one<|ref|>b<|/ref|>two", "onetwo"),
        ("unwrap_labels", "<|ref|>one<|/ref|> two", "one two"),
        ("unwrap_labels", "<|grounding|>one", "one"),
        ("unwrap_fence", "```markdown\n# One\n```", "# One"),
        ("unwrap_fence", "\n~~~\none\ntwo\n~~~\n", "one\ntwo"),
        ("unwrap_fence", "see ```x``` here", "see ```x``` here"),
        ("unwrap_fence", "```\n```", ""),
        ("drop_end_mark", "one<｜end▁of▁sentence｜>", "one"),
        ("drop_end_mark", "one</s>\n", "one"),
        ("drop_end_mark", "</s> one", "</s> one"),
    ],
)
def test_a_step_takes_out_what_it_names_and_nothing_else(step, answer, text):
    assert ANSWER_STEPS[step](answer) == text


@pytest.mark.parametrize("step", ANSWER_STEPS)
@given(text=st.text(st.characters(exclude_characters="<`~", exclude_categories=["Cs"])))
def test_a_text_without_marks_stays_as_it_is(step, text):
    assert ANSWER_STEPS[step](text) == text
