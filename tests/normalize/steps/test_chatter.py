import json
import random

import pytest

from misread.data.segment_table import TextPairs
from misread.normalize import Normalizer, get_normalizer
from misread.normalize.answer_lint import fit
from misread.normalize.steps.chatter import keep_answer, remove_markdown, unwrap_quotes

LETTER = "Dear Sir,\nI am, with great respect,\nyour obedient servant"
FENCED = f"```\n{LETTER}\n```"

OPENINGS = [
    "Here is the transcription:",
    "Here's the transcription of the letter:",
    "Sure! Here is the transcribed text from the image:",
    "Certainly, I'd be happy to help with that.\n\nBelow is the text from the picture:",
    "The image contains the following text:",
    "The handwritten page reads as follows, transcribed line by line:",
    "**Transcription:**",
    "# Transcription",
    "Here you go:",
    "I've transcribed the text in the image below.\n",
    "Hier ist die Transkription des Textes:",
    "Gerne! Hier ist der Text aus dem Bild:",
    "Natürlich. Im Folgenden die Transkription der Seite:",
    "Das Bild enthält folgenden Text:",
    "## Transkription",
    "Voici la transcription du texte :",
    "Bien sûr ! Voici le texte de l'image :",
    "L'image contient le texte suivant :",
    "Le texte de la lettre est le suivant :",
]
CLOSINGS = [
    "Let me know if you need anything else!",
    "Please let me know if you'd like me to translate it.",
    "I hope this helps!",
    "Note: some words were hard to read in the image.",
    "*Please note that the original spelling was kept.*",
    "If you have further questions, feel free to ask.",
    "Lassen Sie mich wissen, ob ich noch etwas tun kann.",
    "Falls du weitere Fragen hast, melde dich gerne!",
    "Hinweis: Einige Wörter waren im Bild nicht lesbar.",
    "N'hésitez pas à me dire si vous avez d'autres questions.",
    "Remarque : certains mots sont illisibles.",
    "---",
]


@pytest.mark.parametrize("closing", ["", *CLOSINGS])
@pytest.mark.parametrize("opening", OPENINGS)
def test_the_transcription_is_taken_out_of_what_outputs_share(opening, closing):
    answer = get_normalizer("answer")
    references = [f"{LETTER}, {row} of {7919 * row}" for row in range(30)]
    texts = [f"{opening}\n\n{text}\n\n{closing}".rstrip() if row % 2 else text for row, text in enumerate(references)]
    fitted = fit(answer, TextPairs(references, texts))
    assert [*map(fitted, texts)] == [*map(answer, references)]
    framed = f"{opening}\n```\n{LETTER * 5}\n```\n{closing}".rstrip()
    assert keep_answer(framed) == LETTER * 5


@pytest.mark.parametrize(
    "answer",
    [
        FENCED,
        f"```text\n{LETTER}\n```",
        f"~~~~\n{LETTER}\n~~~~\n",
        f"{FENCED}\n\nLet me know if you need it in another format.",
        f"Here is it:\n\n{FENCED}\n\nBye",
        f"Here is the transcription: {FENCED} Let me know",
        f"```\n{LETTER}",
        f"Sure!\n{FENCED}",
        f"Here is the transcription:\n<transcription>\n{LETTER}\n</transcription>\nDone.",
        f"<think>\nA letter. Here is the transcription: of what?\n</think>\n\n{LETTER}",
        f"<think>It is a letter.</think>\n<transcription>{LETTER}</transcription>",
        f"<transcription>\n{LETTER}",
        f"{LETTER}\n</text>",
        json.dumps({"text": LETTER, "page": 3}),
        json.dumps({"result": {"transcription": LETTER}, "language": "en"}),
        json.dumps({"text": LETTER.split("\n")}),
        f"```json\n{json.dumps({'transcription': LETTER})}\n```",
        f"Sure, here it is: {json.dumps({'transcription': LETTER})}",
        "Here is what I can read:\n```\nDear Sir,\nI am, with great respect,\n```\nPage 2:\n"
        "```\nyour obedient servant\n```\nThat is all.",
    ],
)
def test_fences_and_tags_frame_the_answer(answer):
    assert keep_answer(answer).strip() == LETTER


@pytest.mark.parametrize(
    "text",
    [
        # Texts of documents, which begin or end like an answer.
        "Here is the bill:\nten pounds and six pence",
        "Here is the text of the treaty:\nArticle 1. There shall be peace.",
        "Here lies the body of John Smith: stranger, pass by",
        "The following is agreed: nobody pays.",
        "Hier ist die Rechnung:\nzehn Gulden",
        "Folgende Personen sind erschienen:\nMeier, Müller",
        "Abschrift\nLieber Herr Meier, hier ist das Bild:",
        "Voici la facture :\ndix francs",
        "Voici ce qui s'est passé : rien.",
        "Of course, he came. Sure enough, it rained.",
        "Certainly!\nsaid the king",
        "Natürlich! Er kam.",
        "Transcription of the deed was made in 1812: it says little",
        f"{LETTER}\n\nPlease let me know if you can come on Sunday.",
        f"{LETTER}\n\nIf you have the money, send it.",
        f"{LETTER}\n\nN'hésitez pas à m'écrire.",
        f"{LETTER}\n\nFalls Sie Zeit haben, kommen Sie.",
        f"{LETTER}\n\nNote: the price has changed.",
        f"{LETTER}\n\n---",
        # Documents that have fences themselves.
        "To install it, run:\n```\nmake\n```\nThen start it.",
        f"{LETTER}\n\n{FENCED}\n\n{LETTER}",
        # Nothing would be left.
        "Here is the transcription:",
        "Let me know if you need anything else!",
        "",
    ],
)
def test_texts_that_only_look_like_chatter_stay(text):
    assert keep_answer(text) == text


@pytest.mark.parametrize(
    ("text", "unwrapped"),
    [
        ('"Dear Sir"', "Dear Sir"),
        ("„Lieber Herr“", "Lieber Herr"),
        ("« Cher Monsieur »", " Cher Monsieur "),
        ('"Yes", he said, "no"', '"Yes", he said, "no"'),
        ('"Yes', '"Yes'),
        ('""', '""'),
        ("'tis '", "'tis '"),
    ],
)
def test_quotes_around_the_whole_are_removed(text, unwrapped):
    assert unwrap_quotes(text) == unwrapped


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("# Bern\n## 1912", "Bern\n1912"),
        ("**Dear** __Sir__, *yes* `x`", "Dear Sir, yes x"),
        ("> quoted\n> twice", "quoted\ntwice"),
        ("a\n\n---\nb", "a\n\nb"),
        ("1. one\n- two\n| a | b |", "1. one\n- two\n| a | b |"),
        ("2 * 3 * 4 #5 a_b_c C# x > y ____ 5*", "2 * 3 * 4 #5 a_b_c C# x > y ____ 5*"),
        ("Name: ______ Date: ______", "Name: ______ Date: ______"),
        (r"5 \* 3 \# \[x\]", "5 * 3 # [x]"),
        (FENCED, LETTER),
    ],
)
def test_marks_of_markdown_are_removed_and_text_stays(text, plain):
    assert remove_markdown(text) == plain


def test_lines_of_an_answer_are_those_of_its_transcription():
    answer = get_normalizer("answer")
    told = f"Here is the transcription:\n\n{FENCED}\n\nAnything else?"
    assert answer.by_line(told) == f"{LETTER}\n"
    # A line by itself is no answer.
    label = "Dear Sir\nTranscription: none\nyours"
    assert answer.by_line(label) == f"{label}\n"
    late = Normalizer("late", ["collapse_whitespace", "keep_answer"])
    assert late.by_line("Dear Sir\nyours") == "Dear Sir\nyours\n"


def test_the_trace_names_the_step_that_took_the_answer_out():
    told = 'Here it is: {"text": "Dear Sir, I thank you."}'
    assert list(get_normalizer("answer").trace(told)) == [
        ("keep_answer", "Dear Sir, I thank you."),
        ("remove_shared", "Dear Sir, I thank you."),
        ("collapse_whitespace", "Dear Sir, I thank you."),
    ]


RIGHT = (
    "Dear {w}:\n\nI write to {w} of the {w}. Please let me know if you can come on {w}.\n\nYours,\n{w}",
    '"{w}," said {w}, "here is the {w}." "{w}!"',
    '"{w} {w}."',
    "Ingredients:\n\n- 200 g {w}\n- 3 {w}\n\nMethod:\n1. Stir the {w}.\n2. Add {w}.\n\nNote: {w} keeps a week.",
    "# {w}\ndef __{w}__(self):\n    return self.{w} ** 2 * {{'{w}': [1, 2]}}['{w}']",
    '{{"{w}": "{w}", "name": "{w}"}}',
    "<{w}><b>{w}</b> {w}</{w}>",
    "The {w} of the {w},\n  And {w} the {w};\n*\nThe {w} -- {w}!",
    "* {w}\n* **{w}** {w}\n> {w}\n---\n{w}",
    "Here is the {w}:\n{w} pounds and six {w}",
    "Hier ist die {w}:\nzehn {w}\n\nFalls Sie {w} haben, kommen Sie.",
    "Q: {w}?\nA: {w}.\n[{w}] ({w}) «{w}»",
    "To install {w}, run:\n```\nmake {w}\n```\nThen start {w} and read the {w} of {w}, which is {w}.",
)
"""Letters, dialogues, recipes, code, poems and lists that were read rightly, with words to draw."""


def test_ten_thousand_right_texts_stay_as_they_are_alone_and_among_others():
    draw = random.Random(5)  # noqa: S311  texts to try, not secrets
    words = ["".join(draw.choices("aeioubdklmnrstéüж漢", k=draw.randint(2, 9))) for _ in range(3000)]
    texts = []
    for _ in range(10_000):
        parts = draw.choice(RIGHT).split("{w}")
        texts.append("".join(f"{part}{draw.choice(words)}" for part in parts[:-1]).replace("{{", "{") + parts[-1])
    answer, collapse = get_normalizer("answer"), get_normalizer("whitespace")
    assert [*map(answer, texts)] == [*map(collapse, texts)]
    fitted = fit(answer, TextPairs(texts, texts))
    assert [*map(fitted, texts)] == [*map(collapse, texts)]
    misread = [text.replace("e", "c") if draw.random() < 0.5 else text for text in texts]
    fitted = fit(answer, TextPairs(texts, misread))
    assert [*map(fitted, misread)] == [*map(collapse, misread)]
