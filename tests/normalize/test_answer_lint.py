import random

import pytest

from misread import evaluate
from misread.data.segment_table import TextPairs
from misread.normalize import get_normalizer
from misread.normalize.answer_lint import lint_outputs

WORDS = """
the minutes of last meeting were read and signed by all who had been there in spring summer autumn winter river house
garden street letter money sister brother
"""
CLOSING = "Let me know if you need anything else!"


def texts(number=60):
    draw = random.Random(1)  # noqa: S311  texts to try, not secrets
    return [" ".join(draw.choice(WORDS.split()) for _ in range(25)) for _ in range(number)]


def misread_some(references, share):
    draw = random.Random(2)  # noqa: S311  texts to try, not secrets
    return [
        "".join(draw.choice("abcdefg") if letter != " " and draw.random() < share else letter for letter in text)
        for text in references
    ]


def told(text):
    return f"Here is the transcription of the page:\n\n```\n{text}\n```\n\n{CLOSING}"


def doubts(references, hypotheses, normalizer="whitespace"):
    return lint_outputs(get_normalizer(normalizer), TextPairs(references, hypotheses), "qwen")


def lint(*texts):
    return [doubt.sentence for doubt in doubts(*texts)]


def score(references, systems, normalizer):
    return evaluate(references, systems, metrics="cer", normalizer=normalizer, seed=1, statistics={"resamples": 999})


@pytest.mark.slow
def test_chatter_no_longer_turns_the_winner_round():
    references = texts()
    qwen = [told(text) if row % 5 < 3 else text for row, text in enumerate(misread_some(references, 0.02))]
    systems = {"gpt": misread_some(references, 0.06), "qwen": qwen}
    left_in, taken_off = (score(references, systems, normalizer) for normalizer in ("unfenced", "answer"))
    assert left_in.pairs["gpt", "qwen"]["cer"].verdict == "worse"
    assert taken_off.pairs["gpt", "qwen"]["cer"].verdict == "better"
    (warning,) = [warning for warning in left_in.warnings if "share text" in warning]
    around = "'Here is the transcription of the page: ``` … ``` Let me know if you need anything else!'"
    assert f"of 60, 36 have {around}; of" in warning
    rate = 100 * taken_off.systems["qwen"]["cer"].rate
    assert warning.endswith(f"with the normalizer 'answer' it is {rate:.1f} %.")
    shown = " ".join(str(left_in).split())
    assert "outputs of qwen share text that their references lack" in shown
    assert "Here is the transcription" not in shown
    assert not any("share text" in sentence for sentence in taken_off.warnings)
    counted = "36 of 60 answers of qwen (keep_answer 36) were taken out of other text"
    assert f"{counted}." in " ".join(str(taken_off).split())
    assert f"{counted}, such as {around}." in taken_off.warnings


def test_references_that_are_changed_are_counted_too():
    references = [f"<text>{text}</text>" for text in texts(4)]
    changed, shared = lint(references, texts(4), "answer")
    assert changed == "4 of 4 references (keep_answer 4) were taken out of other text, such as '<text> … </text>'."
    assert shared.startswith("4 of 4 references share text")


def test_refusals_are_counted_apart():
    references = texts(8)
    refused = ["I'm sorry, but I cannot read this image.", *references[1:]]
    assert lint(references, refused) == ["In 1 of 8 answers qwen refuses to read."]
    assert lint(refused, refused) == []


def test_missing_answers_are_no_answers():
    references = texts(8)
    assert "of 6, 6 have 'Here is" in lint(references, [None, None, *map(told, references[2:])])[0]
