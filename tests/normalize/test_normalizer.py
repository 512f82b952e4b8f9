from importlib.machinery import SourceFileLoader

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import UnknownNameError
from misread.normalize.captures import normalize
from misread.normalize.normalizer import Normalizer, get_normalizer
from misread.normalize.profiles import PROFILES
from misread.provenance import digests
from misread.text.words import WHITE_SPACE

CAPTURE = Capture(
    Origin("lines", "tesseract"),
    SegmentKeys(["a", "b", "c"], ["p1", "p1", "p2"], {"hand": ["x", "y", "x"]}),
    TextPairs([" One\ntwo ", "", "Three"], ["one  two", None, ""]),
    [None, "b.png is damaged", None],
)


def test_steps_are_done_in_their_order():
    one = [{"step": "replace_pattern", "pattern": "a", "replacement": "b"}, "fold_case"]
    assert Normalizer("x", one)("aA") == "ba"
    assert Normalizer("x", one[::-1])("aA") == "bb"


@pytest.mark.parametrize("normalizer", [get_normalizer(name) for name in PROFILES], ids=list(PROFILES))
@given(text=st.text(st.characters() | st.sampled_from(WHITE_SPACE)))
def test_normalizing_normalized_text_changes_nothing(normalizer, text):
    assert normalizer(normalizer(text)) == normalizer(text)


def test_an_unknown_step_or_normalizer_is_refused_with_a_guess_and_the_command_that_lists_them():
    guess = (
        r"'lowercase' in normalizer 'mine'\. Did you mean 'lower_case' or 'lower_ascii'\? `misread list steps` lists"
    )
    with pytest.raises(UnknownNameError, match=rf"unknown step {guess} all \d+\."):
        Normalizer("mine", ["lowercase"])
    with pytest.raises(UnknownNameError, match=r"`misread list normalizers` lists all \d+\."):
        get_normalizer("upper")


def test_signatures_differ_with_steps_and_their_order_and_not_with_what_holds_or_names_them():
    both = ["collapse_whitespace", "lower_case"]
    steps = (["lower_case"], ["collapse_whitespace"], both, both[::-1])
    assert len({Normalizer("x", names).signature for names in steps}) == 4
    signature = Normalizer("x", both).signature
    assert signature == Normalizer("x", tuple(both)).signature
    assert Normalizer("other", both).signature.split("@") == ["other", signature.split("@")[1]]


@pytest.fixture
def signature_after(monkeypatch):
    """Signature of the normalizer "lower" after a change of the source of one module."""

    def change(module, old, new):
        get_source = SourceFileLoader.get_source

        def changed(loader, name):
            source = get_source(loader, name)
            assert name != module or old in source
            return source.replace(old, new) if name == module else source

        with monkeypatch.context() as patched:
            patched.setattr(SourceFileLoader, "get_source", changed)
            for known in (digests.digest_definition, digests._bindings):
                known.cache_clear()
            signature = get_normalizer("lower").signature
        for known in (digests.digest_definition, digests._bindings):
            known.cache_clear()
        return signature

    return change


WHITE_SPACE_STEPS = "misread.normalize.steps.white_space"
CASE_STEPS = "misread.normalize.steps.case"


@pytest.mark.parametrize(
    ("module", "old", "new", "changes"),
    [
        pytest.param(WHITE_SPACE_STEPS, "Strip both ends and turn", "Cut both ends and turn", False, id="docstring"),
        pytest.param(WHITE_SPACE_STEPS, "# The space is the only", "# It is the only", False, id="comment"),
        pytest.param(CASE_STEPS, '("I", "ı")', '("I", "i")', False, id="a constant of another step"),
        pytest.param("misread.text.words", "All 25", "These", False, id="words about a constant"),
        pytest.param(CASE_STEPS, "return text.lower()", "return text.casefold()", True, id="code"),
        pytest.param(WHITE_SPACE_STEPS, "(WHITE_SPACE)}]+", "(WHITE_SPACE)}]", True, id="a regular expression"),
        pytest.param("misread.text.words", r"\u3000", r"\u3000\ufeff", True, id="what white space is"),
    ],
)
def test_what_a_step_does_and_nothing_else_changes_the_signature(signature_after, module, old, new, changes):
    assert (signature_after(module, old, new) != get_normalizer("lower").signature) == changes


def test_the_known_normalizers_are_under_their_names():
    assert [get_normalizer(name).name for name in PROFILES] == list(PROFILES)


def test_a_capture_has_its_normalized_texts_beside_what_it_had():
    texts, lower = normalize(CAPTURE, get_normalizer("lower")), get_normalizer("lower")
    assert (texts.raw, texts.normalizer) == (CAPTURE.texts, lower.signature)
    assert texts.normalized == TextPairs(["one two", "", "three"], ["one two", None, ""])
    assert (texts.origin, texts.segments, texts.reasons) == (CAPTURE.origin, CAPTURE.segments, CAPTURE.reasons)


def test_lines_are_normalized_one_by_one_and_never_joined():
    texts = TextPairs([" a  b \n\n c", " a", "a\n", "", " "], [None, "a \r\n b", "\n", "A  b", "b\r"])
    normalizer = get_normalizer("whitespace")
    lines = normalizer.apply_by_line(texts, normalizer.apply(texts))
    assert lines.references == ["a b\n\nc\n", "a\n", "a\n", "", "\n"]
    assert lines.hypotheses == [None, "a\nb\n", "\n", "A b\n", "b\n"]


def test_a_side_with_alternatives_has_no_lines():
    texts = TextPairs(["{ A / B }\nC"], ["A\nC"])
    normalizer = get_normalizer("lower")
    lines = normalizer.apply_by_line(
        texts, whole := normalizer.apply(texts, alternatives="references"), alternatives="references"
    )
    assert lines == TextPairs(whole.references, ["a\nc\n"])


LOOSE_TEXTS = st.lists(
    st.none() | st.text(st.sampled_from(f"aB`~{WHITE_SPACE}") | st.characters(), max_size=8), max_size=6
)


@pytest.mark.parametrize("normalizer", [get_normalizer(name) for name in PROFILES], ids=list(PROFILES))
@given(hypotheses=LOOSE_TEXTS | st.lists(st.none() | st.sampled_from(["", "a b", "ab"]), max_size=6))
def test_many_texts_are_normalized_as_each_is(normalizer, hypotheses):
    references = [text or "" for text in hypotheses]
    texts = TextPairs(references, hypotheses)
    whole = normalizer.apply(texts)
    lines = normalizer.apply_by_line(texts, whole)
    for pairs, change in ((whole, normalizer), (lines, normalizer.by_line)):
        assert list(pairs.references) == [change(text) for text in references]
        assert list(pairs.hypotheses) == [None if text is None else change(text) for text in hypotheses]


def test_clean_texts_are_not_copied():
    texts = TextPairs(["one two", ""], ["one", "two"])
    assert get_normalizer("whitespace").apply(texts).references is texts.references
    assert get_normalizer("none").apply(texts).hypotheses is texts.hypotheses
