import inspect
from contextlib import suppress
from functools import partial
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.normalize.steps.hostile_texts import HOSTILE, SETTINGS

from misread.errors import ConfigurationError, InputTextError, UnknownNameError
from misread.normalize.normalizer import Normalizer
from misread.normalize.step import Step
from misread.normalize.steps import STEPS
from misread.text.words import WHITE_SPACE, split_words

TRIED = {name: Step(name, facts, SETTINGS.get(name, {})) for name, facts in STEPS.items()}
# A step that takes one layer off may find another below.
# Whisper's rules are as they are.
LAYERED = """
extract_json html_to_text markdown_to_text remove_latex_delimiters unwrap_code_fence read_labelled_fields
unwrap_fences remove_bracketed expand_english_contractions rejoin_hyphens remove_grounding_tags
expand_english_titles replace_letter_forms remove_punctuation replace_long_s spell_turkish_measures
spell_turkish_times spell_turkish_ordinals merge_compounds remove_diacritics whisper_english whisper_basic
"""


@pytest.mark.parametrize("name", STEPS)
def test_every_step_stands_in_its_home_under_its_name_with_an_example(name):
    function = TRIED[name].function if name in TRIED else None
    assert function is None or (function.__name__, function.__module__) == (name, STEPS[name].home)
    assert ">>> " in inspect.getdoc(getattr(import_module(STEPS[name].home), name))


@pytest.mark.parametrize("name", sorted({*TRIED} - {*LAYERED.split()}))
@given(text=st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(WHITE_SPACE)))
def test_a_step_done_twice_is_a_step_done_once(name, text):
    change = TRIED[name].change
    assert change(change(text)) == change(text)


@pytest.mark.parametrize("name", sorted(name for name in TRIED if not STEPS[name].changes_words))
@given(text=st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(" aIi"), max_size=40))
def test_a_step_that_keeps_the_number_of_words_does(name, text):
    def words(each):
        return sum(any(character.isalnum() for character in word) for word in each.split())

    assert words(TRIED[name].change(text)) == words(text) or not text.isascii()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TRIED))
def test_no_step_takes_long_on_hostile_texts(name, ends_within):
    """A twentieth of the length that the limit of one second is for, and a time that only what is quadratic exceeds."""
    for part in HOSTILE:
        text = (part * 5_000)[:5_000]
        for hostile in (text, f"{text}!"):
            # A square that takes half a second for 10,000 characters takes no less.
            assert ends_within(0.125, partial(_try, name, hostile)), part


def _try(name, text):
    with suppress(InputTextError):
        TRIED[name].change(text)


@pytest.mark.parametrize(
    ("name", "options", "error", "named"),
    [
        ("fold_case", {"settings": {"languge": "tr"}}, UnknownNameError, "'languge' in fold_case"),
        ("remove_fillers", {"settings": {"words": "uh"}}, ConfigurationError, r"remove_fillers\.words"),
        ("spell_numbers", {}, ConfigurationError, "spell_numbers needs language"),
        ("fold_case", {"side": "hypotheses"}, ConfigurationError, "fold_case must be applied to both sides"),
        ("extract_json", {"side": "left"}, UnknownNameError, "side 'left'"),
    ],
)
def test_settings_that_a_step_does_not_take_or_lacks_are_refused(name, options, error, named):
    with pytest.raises(error, match=named):
        Step(name, STEPS[name], **options)


def test_settings_and_side_are_part_of_the_definition():
    facts = STEPS["fold_case"]
    of = {
        Step("fold_case", facts, settings).definition
        for settings in ({}, {"language": "tr"}, {"language": "az"}, {"language": ""})
    }
    assert len(of) == 3
    facts = STEPS["extract_json"]
    assert Step("extract_json", facts).definition != Step("extract_json", facts, side="hypotheses").definition


TEXTS = [
    "Dr. Smith paid $1,234.50 on 12.05.2019 at 14:30 \u2014 it\u2019s twenty-three km/h, \u017fo \ufb01ne;",
    "\u201cuh\u201d [noise] (laughs) XIV. y\u00fczy\u0131l, 5 kg, 3x4, \u0663\u0664 \u05e9\u05b8\u05c1\u05dc",
    "\u6f22\u5b57\uff21\uff22 \uff11\uff12\uff13 co-\noperate can't gonna colour \u2026 _x_ **y** 1st 1990s",
]


@pytest.mark.parametrize("name", [name for name, facts in STEPS.items() if not facts.changes_words])
def test_a_step_that_is_not_said_to_change_words_leaves_their_number(name):
    step = Normalizer("n", [{"step": name, **(SETTINGS.get(name) or {})}])
    assert [len(split_words(step(text))) for text in TEXTS] == [len(split_words(text)) for text in TEXTS]


@pytest.mark.parametrize("name", ["markdown_to_text", "html_to_text", "unwrap_code_fence", "extract_json"])
def test_what_takes_apart_the_answers_of_models_may_leave_references_alone(name):
    text = '```json\n{"a": "<b>**1**</b>"}\n```'
    step, both = Normalizer("of_one", [{"step": name, "side": "hypotheses"}]), Normalizer("of_both", [name])
    assert step(text, side="references") == text
    assert step(text, side="hypotheses") == both(text) != text
