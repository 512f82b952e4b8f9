"""Planted faults in eight scripts and three lengths, and right outputs that are written otherwise."""

import json
import random
import re
from functools import cache

import pytest

from misread import evaluate
from misread.data.segment_table import TextPairs
from misread.normalize import get_normalizer
from misread.normalize.answer_lint import fit, lint_outputs
from misread.normalize.shared_text import find_shared

ALPHABETS = {
    "latin": "abcdefghijklmnopqrstuvwxyzäöüé",
    "cyrillic": "абвгдежзиклмнопрстуфхцчшыьюя",
    "greek": "αβγδεζηθικλμνξοπρστυφχψωάέή",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "devanagari": "कखगघचछजझटठडढतथदधनपफबभमयरलवशसह",
    "hebrew": "אבגדהוזחטיכלמנסעפצקרשת",
    "hangul": "가나다라마바사아자차카타파하고노도로모보소오조초",
    "chinese": "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可",
}
WITHOUT_BLANKS = ("chinese",)
PHRASES = {
    "latin": "Here is the text that was read:",
    "cyrillic": "Вот расшифровка текста:",
    "greek": "Ορίστε η μεταγραφή:",
    "arabic": "إليك النص المكتوب:",
    "devanagari": "यहाँ प्रतिलेख है:",
    "hebrew": "הנה התמלול של הטקסט:",
    "hangul": "다음은 전사된 텍스트입니다:",
    "chinese": "以下是转录的文本内容：",
}
LENGTHS = {"short": 20, "line": 60, "page": 600}
PLACES = {
    "opening": lambda text, phrase, _: f"{phrase}\n\n{text}",
    "opening in its line": lambda text, phrase, _: f"{phrase} {text}",
    "closing": lambda text, phrase, _: f"{text}\n\n{phrase}",
    "closing in its line": lambda text, phrase, _: f"{text} {phrase}",
    "varying note": lambda text, phrase, draw: f"{text}\n\n{phrase}\n- {draw.randint(1, 99)} {draw.choice(text)}",
    "quotes behind an opening": lambda text, phrase, _: f"{phrase} “{text}”",
    "fence between more than it holds": lambda text, phrase, _: f"{phrase}\n```\n{text}\n```\n{phrase}",
    "key of its own": lambda text, phrase, _: json.dumps({phrase.rstrip(":："): text}, ensure_ascii=False),
    "quotes around lines": lambda text, *_: "\n".join(
        f"“{text[start : start + 30]}”" for start in range(0, len(text), 30)
    ),
    "box": lambda text, *_: f"\\boxed{{{text}}}",
    "bullet": lambda text, *_: f"- {text}",
    "brackets": lambda text, *_: f"[A] {text}\n[END]",
    "number behind": lambda text, _, draw: f"{text} {draw.randint(1, 99)}",
    "fence": lambda text, _, draw: f"```{draw.choice(['', 'text'])}\n{text}\n```",
    "tags": lambda text, *_: f"<html><body><p>{text}</p></body></html>",
    "time": lambda text, _, draw: f"[{draw.randint(0, 59):02}:{draw.randint(0, 59):02}] {text}",
    "header": lambda text, phrase, draw: "\n".join(
        (text[: len(text) // 2], f"{phrase.rstrip(':：')} {draw.randint(1, 999)}", text[len(text) // 2 :])
    ),
}
SHARE = 0.05


@cache
def draw_texts(script, length, number, seed=1):
    draw = random.Random(seed)  # noqa: S311  texts to try, not secrets
    texts = []
    for _ in range(number):
        text = ""
        while len(text) < length:
            text += "".join(draw.choice(ALPHABETS[script]) for _ in range(draw.randint(2, 8)))
            text += "" if script in WITHOUT_BLANKS else " "
        texts.append(text.strip())
    return texts


def misread_some(texts, script, share=0.05, seed=2):
    draw = random.Random(seed)  # noqa: S311  texts to try, not secrets
    return [
        "".join(
            draw.choice(ALPHABETS[script]) if letter != " " and draw.random() < share else letter for letter in text
        )
        for text in texts
    ]


def plant(texts, place, script, share=SHARE, seed=3):
    draw = random.Random(seed)  # noqa: S311  texts to try, not secrets
    return [PLACES[place](text, PHRASES[script], draw) if draw.random() < share else text for text in texts]


def find(references, outputs):
    return find_shared(references, outputs, lambda texts: texts)


@pytest.mark.slow
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("script", ALPHABETS)
def test_planted_texts_are_found_and_taken_off_and_no_other_is(script, length):
    planted = found = wrong = 0
    references = draw_texts(script, LENGTHS[length], 200)
    read = misread_some(references, script)
    for place in PLACES:
        outputs = plant(read, place, script)
        normalizer = fit(get_normalizer("answer"), TextPairs(references, outputs))
        for plain, output in zip(read, outputs, strict=True):
            right, left = ("".join(part.split()) for part in (plain, normalizer(output)))
            planted += plain != output
            found += plain != output and left == right
            wrong += plain == output and left != right
    assert found >= 0.95 * planted
    assert found >= 0.95 * (found + wrong)


@pytest.mark.parametrize("script", ALPHABETS)
def test_outputs_that_share_nothing_raise_no_alarm(script):
    references = draw_texts(script, 40, 400)
    assert find(references, misread_some(references, script, 0.2)) == []


@pytest.mark.parametrize("script", ALPHABETS)
def test_what_references_share_too_is_no_finding_even_if_it_is_misread(script):
    references = [f"{PHRASES[script]} {text}" for text in draw_texts(script, 40, 100)]
    assert find(references, misread_some(references, script, 0.1)) == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("five dollars {}", "$5 {}"),
        ("mister {}", "Mr. {}"),
        ("twenty twenty one {}", "2021 {}"),
        ("{} at mail dot com", "{}@mail.com"),
        ("ERÖFFNUNG {}", "Eröffnung: {}"),
        ("naive cafe {}", "naïve café {}"),
        ("I will {}", "I'll {}"),
        ("{}", "{}."),
        ("« {} »", '"{}"'),
        ("{} per cent", "{} %"),
        ("12. {}", "12, {}"),
        ("A4 {} (3)", "A 4, {} [3]"),
        ("(laughs) {} five", "[laughs] {} 5"),
        ("no 7: {} 0.5", "no. 7, {} 0,5"),
    ],
)
def test_right_outputs_that_are_written_otherwise_raise_no_alarm(written, read):
    texts = draw_texts("latin", 40, 1000)
    assert (
        lint_outputs(get_normalizer("none"), TextPairs([*map(written.format, texts)], [*map(read.format, texts)]), "s")
        == []
    )


IDS = ["utt-{},{}", "a{}|{}", "a{}.wav;{}", "LJ{}={}", "{}:{}", "{1},utt-{0}", "{1}|a{0}"]


@pytest.mark.parametrize("line", [*IDS, "-0.{}\t{}", "ann-{} {}", "{1}\t0.{0}", "{1} ({0})"])
def test_ids_and_scores_of_one_side_are_text_that_its_references_lack(line):
    references = draw_texts("latin", 40, 100)
    (shared,) = find(references, [line.format(row, text) for row, text in enumerate(references)])
    assert shared.outputs == 100
    both = [line.format(row, text) for row, text in enumerate(references)]
    assert find(both, both[1:] + both[:1]) == []


def test_the_smallest_share_of_the_guide_is_found_in_95_of_100_sets():
    alarms = 0
    for seed in range(100):
        references = draw_texts("latin", 40, 200, seed)
        alarms += bool(find(references, plant(references, "opening", "latin", 0.04, seed)))
    assert alarms >= 95


def test_the_sentence_has_text_number_points_and_what_a_profile_makes_of_it():
    references = draw_texts("latin", 60, 100)
    outputs = [f"Here is the transcription:\n\n{text}" if row < 40 else text for row, text in enumerate(references)]
    (doubt,) = lint_outputs(get_normalizer("whitespace"), TextPairs(references, outputs), "qwen")
    assert "of 100, 40 begin with 'Here is the transcription:'; of" in doubt.sentence
    assert doubt.sentence.endswith("with the normalizer 'answer' it is 0.0 %.")
    assert "transcription" not in doubt.brief
    assert doubt.brief.startswith("Up to 40 of 100 outputs of qwen share text that their references lack")


def test_a_profile_that_changes_references_is_not_suggested():
    references = [f"Line {row} of the page [1] ends here." for row in range(12)]
    outputs = [f"Sure! Here is the text of the page:\n\n{text}" for text in references]
    (doubt,) = lint_outputs(get_normalizer("none"), TextPairs(references, outputs), "a")
    assert "normalizer 'answer'" in doubt.sentence
    result = evaluate(references, {"a": outputs}, metrics="cer", normalizer="answer", seed=1)
    assert result.systems["a"]["cer"].rate == 0


def test_all_runs_are_looked_at():
    references = draw_texts("latin", 40, 50)
    runs = {"1": references, "2": [f"Here is the text: {text}" for text in references]}
    result = evaluate(references, {"a": runs}, metrics="cer", seed=1)
    assert any("of 100, 50 begin with 'Here is the text:'" in warning for warning in result.warnings)


def test_references_that_share_what_outputs_lack_may_be_on_the_wrong_side():
    outputs = draw_texts("latin", 40, 50)
    references = [f"Here is the text: {text}" for text in outputs]
    (doubt,) = lint_outputs(get_normalizer("none"), TextPairs(references, outputs), "a")
    assert doubt.sentence == (
        "50 of 50 references share text that outputs of a lack: they begin with 'Here is the text:'. See whether it is "
        "left out, or the sides are exchanged."
    )
    assert "Here" not in doubt.brief


def test_what_lines_share_is_shown_as_text_and_not_as_its_pattern():
    references = ["\n".join(draw_texts("latin", 30, 5, seed)) for seed in range(9)]
    (shared,) = find(references, [re.sub("(?m)^", "Speaker 1: ", text) for text in references])
    assert (shared.position, shared.example.strip()) == ("have lines that begin with", "Speaker 1:")


def test_json_in_prose_is_of_the_normalizer_for_json():
    references = [f'{{"name": "{text}"}}' for text in draw_texts("latin", 40, 20)]
    (doubt,) = lint_outputs(
        get_normalizer("none"), TextPairs(references, [f"```json\n{text}\n```" for text in references]), "a"
    )
    assert "with the normalizer 'answer' it is 0.0 %" in doubt.sentence or "'structured'" in doubt.sentence


def test_signatures_are_those_of_the_normalizer_and_not_of_the_outputs():
    references = draw_texts("latin", 40, 20)
    outputs = {"a": [f"Here is the text: {text}" for text in references], "b": references}
    result = evaluate(references, outputs, metrics="cer", normalizer="answer", seed=1)
    assert result.systems["a"]["cer"].rate == result.systems["b"]["cer"].rate == 0
    assert len({str(result.systems[name]["cer"].signature) for name in outputs}) == 1
