import random

import pytest

from misread.errors import ConfigurationError, InputTypeError, LengthMismatchError
from misread.features.flags import FlagRules
from misread.features.flags.api import find_flags

SENTENCE = "the minutes of the last meeting were read and signed by all who had been there"


def kinds(reference, hypothesis, **rules):
    (flags,) = find_flags(reference, hypothesis, FlagRules(**rules))
    return [flag.kind for flag in flags]


def test_correct_and_slightly_wrong_texts_are_not_flagged():
    assert find_flags([SENTENCE, "", "a"], [SENTENCE.replace("e", "c"), "", ""]) == [(), (), ()]


def test_a_flag_names_the_characters_that_are_suspect():
    hypothesis = SENTENCE + " thank you very much for watching and please do not forget to subscribe"
    (flags,) = find_flags(SENTENCE, hypothesis)
    (inserted,) = (flag for flag in flags if flag.kind == "insertions")
    assert hypothesis[inserted.start : inserted.end] == hypothesis[len(SENTENCE) :]
    assert inserted.reason == "71 characters in a row that the reference does not have"


def test_a_loop_of_composed_characters_is_named_by_its_characters():
    hypothesis = "x " + "e\u0301" * 20
    (flags,) = find_flags("x", hypothesis)
    assert (flags[0].kind, flags[0].start, flags[0].end) == ("loop", 2, 42)


def test_unrelated_text_is_flagged_and_badly_read_text_is_not():
    other = "please fasten your seat belts and put your tables up before we go down to land"
    assert kinds(SENTENCE, other) == ["unrelated"]
    draw = random.Random(1)  # noqa: S311  texts to try, not secrets
    half = "".join(draw.choice("abcdefghijklmnop ") if draw.random() < 0.5 else letter for letter in SENTENCE)
    assert kinds(SENTENCE, half) == []


def test_text_that_holds_the_reference_is_long_and_not_unrelated():
    assert "unrelated" not in kinds("the last meeting were read", f"{SENTENCE} {SENTENCE}")


def test_what_compresses_far_better_than_the_reference_is_flagged():
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
    draw = random.Random(1)  # noqa: S311  texts to try, not secrets
    again = " ".join(draw.choice(words[:3]) for _ in range(80))
    assert "compression" in kinds(SENTENCE * 2, again)
    assert "compression" not in kinds(again, again)


@pytest.mark.parametrize(("length", "flagged"), [(49, False), (50, True)])
def test_a_run_exactly_at_the_limit_of_insertions_is_flagged(length, flagged):
    added = "".join(random.Random(1).choices("opqrst", k=length))  # noqa: S311  texts to try, not secrets
    long = " ".join(f"bcd{number}" for number in range(40))
    assert ("insertions" in kinds(long, f"{long[:100]}{added}{long[100:]}")) is flagged


@pytest.mark.parametrize(("length", "flagged"), [(80, False), (81, True)])
def test_more_than_twice_the_characters_is_long(length, flagged):
    assert ("long" in kinds("x" * 40, "y" * length)) is flagged


def test_an_empty_reference_does_not_make_few_words_long():
    assert kinds("", "a few words") == []
    assert kinds("", "a few words that nobody has ever said") == ["long"]


def test_rules_below_their_limits_are_refused():
    with pytest.raises(ConfigurationError, match="min_repeats of flags is 2, expected 3 or more"):
        FlagRules(min_repeats=2)
    with pytest.raises(ConfigurationError, match="compression of flags is nan"):
        FlagRules(compression=float("nan"))


def test_sides_must_be_texts_of_equal_number():
    with pytest.raises(LengthMismatchError):
        find_flags(["a"], ["a", "b"])
    with pytest.raises(InputTypeError, match="entry 0 is None"):
        find_flags(["a"], [None])
