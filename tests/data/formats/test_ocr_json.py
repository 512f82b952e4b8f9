"""Pages in the shapes that engines write, by hand; what they say of the whole text themselves is the oracle."""

import json

import pytest

from misread.data.formats.content import Content
from misread.data.formats.ocr_json import is_ocr_json, read_ocr_json
from misread.errors import InputFileError

TEXT = "THE LOG\nWe sailed at dawn."
LINES = {"THE LOG": [0.9, 0.8], "We sailed at dawn.": [0.7, 0.6, 0.5, 0.4]}
BOX = [[0, 0], [9, 0], [9, 9], [0, 9]]


def words_of(line, text="text", sure="confidence", most=1, **more):
    return [{text: word, sure: score * most, **more} for word, score in zip(line.split(), LINES[line], strict=True)]


def doctr():
    lines = [{"geometry": BOX, "words": words_of(line, "value", crop_orientation={"value": 0})} for line in LINES]
    blocks = [{"geometry": BOX, "lines": [line], "artefacts": []} for line in lines]
    return {"pages": [{"page_idx": 0, "dimensions": [9, 9], "blocks": blocks, "layout": [], "tables": []}]}


def azure_read():
    lines = [{"boundingBox": [0] * 8, "text": line, "words": words_of(line)} for line in LINES]
    return {"status": "succeeded", "analyzeResult": {"version": "3.2.0", "readResults": [{"page": 1, "lines": lines}]}}


def azure_image_analysis():
    lines = [{"text": line, "boundingPolygon": [{"x": 0, "y": 0}], "words": words_of(line)} for line in LINES]
    return {"modelVersion": "2024-02-01", "readResult": {"blocks": [{"lines": lines}]}}


def azure_document():
    lines = [{"content": line, "spans": [{"offset": TEXT.index(line), "length": len(line)}]} for line in LINES]
    words = [word for line in LINES for word in words_of(line, "content")]
    for word in words:
        word["span"] = {"offset": TEXT.index(word["content"]), "length": len(word["content"])}
    pages = [{"pageNumber": 1, "unit": "pixel", "words": words, "lines": lines}]
    paragraphs = [{"spans": [{"offset": 0, "length": len(TEXT)}], "content": TEXT}]
    return {"analyzeResult": {"apiVersion": "2024-11-30", "content": TEXT, "pages": pages, "paragraphs": paragraphs}}


def textract():
    lines, words = [], []
    for line in LINES:
        own = [
            {"BlockType": "WORD", "Id": f"w{len(words) + at}", "Page": 1, **word}
            for at, word in enumerate(words_of(line, "Text", "Confidence", 100))
        ]
        related = [{"Type": "CHILD", "Ids": [word["Id"] for word in own]}]
        lines.append({"BlockType": "LINE", "Id": f"l{len(lines)}", "Page": 1, "Text": line, "Relationships": related})
        words += own
    return {"DocumentMetadata": {"Pages": 1}, "Blocks": [{"BlockType": "PAGE", "Id": "p"}, *lines, *words]}


def google(*, numbers=False):
    """Words of a paragraph, the full stop one of its own; what follows a word is said by its last symbol."""
    breaks = {" ": 1, "\n": 5} if numbers else {" ": "SPACE", "\n": "LINE_BREAK"}
    paragraphs = []
    for line in LINES:
        words = []
        for word, score in zip(line.split(), LINES[line], strict=True):
            last = "\n" if line.endswith(word) else " "
            for part in (word.rstrip("."), "."):
                if part in word:
                    symbols = [{"text": letter} for letter in part]
                    words.append({"symbols": symbols, "confidence": score})
            words[-1]["symbols"][-1]["property"] = {"detectedBreak": {"type": breaks[last]}}
        paragraphs.append({"words": words})
    annotation = {"pages": [{"blocks": [{"paragraphs": [part], "blockType": "TEXT"} for part in paragraphs]}]}
    return {
        "responses": [{"textAnnotations": [{"description": TEXT}], "fullTextAnnotation": {**annotation, "text": TEXT}}]
    }


WITH_WORDS = {
    "docTR": doctr(),
    "Azure Read 3.2": azure_read(),
    "Azure Image Analysis": azure_image_analysis(),
    "Azure Document Intelligence": azure_document(),
    "Textract": textract(),
    "Textract in parts": [textract()],
    "Google Vision": google(),
    "Google Vision, breaks as numbers": google(numbers=True)["responses"][0],
}
WITHOUT_WORDS = {
    "PaddleOCR 3": {"input_path": "a.png", "rec_texts": [*LINES], "rec_scores": [0.9, 0.8], "rec_boxes": [[0] * 4] * 2},
    "PaddleOCR 3 as printed": {"res": {"input_path": "a.png", "rec_texts": [*LINES], "rec_scores": [0.9, 0.8]}},
    "PaddleOCR 2": [[[BOX, [line, score]] for line, score in zip(LINES, [0.9, 0.8], strict=True)]],
    "PaddleOCR 2 without boxes": [[[line, score] for line, score in zip(LINES, [0.9, 0.8], strict=True)]],
    "RapidOCR 3": [{"box": BOX, "txt": line, "score": score} for line, score in zip(LINES, [0.9, 0.8], strict=True)],
    "RapidOCR 1": [[[BOX, line, str(score)] for line, score in zip(LINES, [0.9, 0.8], strict=True)], [0.1, 0.2, 0.3]],
    "EasyOCR": [[BOX, line, score] for line, score in zip(LINES, [0.9, 0.8], strict=True)],
}
ALL = {**WITH_WORDS, **WITHOUT_WORDS}


@pytest.fixture
def page(write):
    """Write a value as JSON and read it."""
    return lambda value, **options: read_ocr_json(write("p1.json", json.dumps(value)), **options)


@pytest.mark.parametrize("engine", ALL)
def test_lines_are_read_in_the_order_of_the_engine_with_their_confidences(page, engine):
    layout = page(ALL[engine])
    assert (layout.text, layout.account.left_out) == (TEXT, {})
    assert layout.cut("line") == {"1": "THE LOG", "2": "We sailed at dawn."}
    confidences = [line.confidence for line in layout.parts("line")]
    assert confidences == ([0.9, 0.8] if engine in WITHOUT_WORDS else [pytest.approx(sure) for sure in LINES.values()])


@pytest.mark.parametrize("engine", ALL)
def test_words_are_those_of_the_engine_or_between_blanks(page, engine):
    layout = page(ALL[engine], words=True)
    assert list(layout.cut("word").items())[::3] == [("1.1", "THE"), ("2.2", "sailed")]
    assert " ".join(layout.cut("word").values()) == TEXT.replace("\n", " ")
    assert None not in [word.confidence for word in layout.parts("word")]


@pytest.mark.parametrize("engine", ALL)
def test_a_page_is_recognised_even_if_its_file_is_cut(engine):
    text = json.dumps(ALL[engine])
    assert is_ocr_json(Content(text))
    assert is_ocr_json(Content(text[:-20], is_whole=False))


@pytest.mark.parametrize(
    "value",
    [{"pages": []}, {"lines": ["one"]}, [{"text": "one"}], {"text": "one"}, [["one", "two"]], {"Blocks": "one"}],
)
def test_other_json_is_not_recognised(value):
    assert not is_ocr_json(Content(json.dumps(value)))


@pytest.mark.parametrize(
    "value", [{"analyzeResult": {"pages": [{"lines": []}]}}, {"rec_texts": []}, {"fullTextAnnotation": {"text": ""}}]
)
def test_a_blank_page_is_one_without_text(page, value):
    assert is_ocr_json(Content(json.dumps(value)))
    assert page(value).text == ""
    assert "files without any text" in page(value).account.left_out


def test_breaks_of_google_are_blanks_hyphens_and_ends_of_lines(page):
    kinds = ["SPACE", "HYPHEN", "EOL_SURE_SPACE", "UNKNOWN", "SURE_SPACE", None]
    said = [
        {"text": text, "property": {"detectedBreak": {"type": kind}}}
        for text, kind in zip("abcdef", kinds, strict=True)
    ]
    words = [{"symbols": [symbol]} for symbol in said]
    words += [{"symbols": [{"text": "g", "property": {"detected_break": {"type": 1, "is_prefix": True}}}]}]
    assert page({"full_text_annotation": {"pages": [{"blocks": [{"paragraphs": [{"words": words}]}]}]}}).text == (
        "a b-\nc\nde f g"
    )
    assert page({"fullTextAnnotation": {"text": "a b\nc", "pages": []}}).cut("line") == {"1": "a b", "2": "c"}
    words[0]["symbols"][0]["property"]["detectedBreak"]["type"] = "TAB"
    with pytest.raises(InputFileError, match="it is not as an OCR engine writes it: no 'TAB'"):
        page({"fullTextAnnotation": {"pages": [{"blocks": [{"paragraphs": [{"words": words}]}]}]}})


def test_what_services_say_about_an_answer_is_no_text(page):
    # As boto3, the batches of Google Vision, Azure Read 3.2 and tesseract.js write it; the last ends its lines.
    meta, appearance = {"RequestId": "r", "HTTPHeaders": {"date": "now"}}, {"style": {"name": "other"}}
    batch = {"inputConfig": {"mimeType": "image/png"}, "responses": [{**google(), "context": {"uri": "gs://a"}}]}
    batch["responses"][0].update(batch["responses"][0].pop("responses")[0])
    azure = azure_read()
    azure["analyzeResult"]["readResults"][0]["lines"][0]["appearance"] = appearance
    lines = [{"text": f"{line}\n"} for line in LINES]
    for value in (textract() | {"ResponseMetadata": meta}, batch, azure, {"lines": lines}):
        layout = page(value)
        assert (layout.text, layout.account.unknown, layout.account.left_out) == (TEXT, {}, {})


def test_words_that_are_not_those_of_the_line_lend_it_no_confidences(page):
    words = [{"text": "one", "confidence": 1}]
    (line,) = page({"readResult": {"blocks": [{"lines": [{"text": "one two", "words": words}]}]}}).parts("line")
    assert (line.text, line.confidence) == ("one two", None)


def test_tables_of_doctr_have_words_of_their_own_and_those_of_azure_repeat_lines(page):
    pages = doctr()
    pages["pages"][0]["tables"] = [{"cells": [{"value": "4", "row_start": 0, "confidence": 0.9}]}]
    assert page(pages).text == f"{TEXT}\n4"
    document = azure_document()
    document["analyzeResult"]["tables"] = [{"cells": [{"content": "THE"}]}]
    assert page(document).text == TEXT


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"pages": 3}, "expected JSON of PaddleOCR, RapidOCR"),
        ({"text": "one"}, "expected JSON of PaddleOCR, RapidOCR"),
        ({"rec_texts": ["one", None]}, "after 1 line of text it is not as an OCR engine writes it: None is no text"),
        ({"pages": [{"lines": [{"words": [{"value": 3}]}]}]}, "after 0 lines of text .*: 3 is no text"),
        ({"Blocks": [{"BlockType": "LINE"}]}, "after 0 lines of text .*: no 'Text'"),
    ],
)
def test_json_of_another_shape_is_refused_with_the_place(page, value, message):
    with pytest.raises(InputFileError, match=message):
        page(value)
