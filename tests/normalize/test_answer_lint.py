import random

import pytest

from misread import evaluate
from misread.data.segment_table import TextPairs
from misread.normalize import get_normalizer
from misread.normalize.answer_lint import lint_answers

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
    return lint_answers(get_normalizer(normalizer), TextPairs(references, hypotheses), "qwen")


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
    warning = (
        "36 of 60 answers of qwen begin with the same six words ('Here is the transcription of the'), which the "
        "normalizer 'answer' takes off, and the references do not."
    )
    assert warning in left_in.warnings
    shown = " ".join(str(left_in).split())
    assert warning.replace(" ('Here is the transcription of the')", "") in shown
    assert "Here is the transcription" not in shown
    assert not any("six words" in sentence for sentence in taken_off.warnings)
    counted = "36 of 60 answers of qwen (keep_answer 36) were taken out of what stands around them."
    assert counted in " ".join(str(taken_off).split())


@pytest.mark.parametrize("normalizer", ["none", "lower", "ocr"])
def test_a_fence_that_stays_is_named_with_what_takes_it_off(normalizer):
    references = texts(12)
    fenced = [f"```\n{text}\n```" for text in references]
    assert lint(references, fenced, normalizer) == [
        "12 of 12 answers of qwen begin with a code fence, which the normalizer 'answer' takes off, and the references "
        "do not."
    ]
    assert not [note for note in lint(references, fenced, "answer") if "begin" in note]


def test_a_fence_around_json_and_json_in_prose_are_of_the_normalizer_for_json():
    references = [f'{{"name": "{text}"}}' for text in texts(10)]
    fenced = [f"```json\n{text}\n```" for text in references]
    assert "normalizer 'structured' takes off" in lint(references, fenced, "none")[0]
    prose = [f"Here is the answer in good JSON: {text}" for text in references]
    assert "('Here is the answer in good'), which the normalizer 'structured' takes off" in lint(references, prose)[0]
    assert lint(references, fenced, "structured") == []


def test_words_that_no_profile_takes_off_are_named_without_a_remedy():
    references = texts(20)
    thanked = [f"Thank you very much for watching {text}" for text in references[:5]] + references[5:]
    assert lint(references, thanked) == [
        "5 of 20 answers of qwen begin with the same six words ('Thank you very much for watching'), and the "
        "references do not."
    ]


def test_references_that_begin_so_are_no_finding_even_if_they_are_misread():
    references = [f"Actum Zürich, den 5ten Mai in {text}" for text in texts(20)]
    assert lint(references, references) == []
    assert lint(references, [text.replace("Zürich", "Zurieh") for text in references]) == []
    fenced = [f"```\n{text}\n```" for text in references]
    assert lint(fenced, fenced) == []


def test_two_of_many_are_no_finding():
    references = texts(60)
    few = [told(text) for text in references[:2]] + references[2:]
    assert lint(references, few) == []


def test_references_that_are_changed_are_counted_too():
    references = [f"Here is the transcription:\n{text}" for text in texts(4)]
    assert lint(references, texts(4), "answer") == [
        "4 of 4 references (keep_answer 4) were taken out of what stands around them."
    ]


def test_refusals_are_counted_apart():
    references = texts(8)
    refused = ["I'm sorry, but I cannot read this image.", *references[1:]]
    assert lint(references, refused) == ["In 1 of 8 answers qwen refuses to read."]
    assert lint(refused, refused) == []


def test_in_brief_no_text_is_quoted():
    (chatter,) = doubts(texts(8), [f"Thank you very much for watching {text}" for text in texts(8)])
    assert chatter.brief == "8 of 8 answers of qwen begin with the same six words, and the references do not."
    (fenced,) = doubts(texts(8), [f"```\n{text}\n```" for text in texts(8)])
    assert fenced.brief == fenced.sentence
    assert chatter.is_caution
    assert fenced.is_caution


def test_missing_answers_are_no_answers():
    references = texts(8)
    assert "of 6 answers" in lint(references, [None, None, *map(told, references[2:])])[0]
