"""JSON of OCR engines: pages with the regions, lines and words that an engine lists, in its order.

Sources: PaddleX 3.7 `OCRResult` (rec_texts) and the lists of PaddleOCR 2; RapidOCR 3.10 `to_json`, and the lists of
version 1, which EasyOCR writes, too; docTR 1.1 `Document.export`; Azure: Read 3.2 (readResults), Image Analysis 4.0
(readResult), Document Intelligence 2024-11-30 (pages whose words lie in the spans of lines); Amazon Textract, API of
2018-06-27 (Blocks); Google Vision v1 (fullTextAnnotation, whose symbols say what follows them).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from misread.data.formats.account import Account, silent
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.layout import (
    Confidence,
    Layout,
    Line,
    Region,
    Word,
    make_layout,
    read_confidence,
    spread_confidences,
)
from misread.errors import InputFileError
from misread.io.json_files import decode_json, is_number
from misread.io.text import UTF_8, read_text
from misread.text.nouns import count_of

_Words = Sequence[tuple[str, float | None]]

_TEXTS: Final = ("text", "content", "value", "txt")
_SURE: Final = ("confidence", "score", "Confidence")
# What lists pages or regions; docTR has tables next to blocks, Azure repeats in tables what lines say.
_PARTS: Final = (
    *("res", "responses", "analyzeResult", "analyze_result", "readResult", "read_result"),
    *("pages", "readResults", "read_results", "recognitionResults", "blocks", "regions"),
)
_CERTAIN: Final = frozenset({"rec_texts", "analyzeResult", "analyze_result", "readResult", "fullTextAnnotation"})
_NO_TEXT: Final = {
    **silent("status createdDateTime lastUpdatedDateTime version apiVersion modelId modelVersion stringIndexType unit"),
    **silent("contentFormat kind role locale docType state styles languages warnings metadata"),  # Azure
    **silent("BlockType Id TextType Relationships JobStatus SelectionStatus EntityTypes NextToken Query"),  # Textract
    **silent("DetectDocumentTextModelVersion AnalyzeDocumentModelVersion"),
    **silent("languageCode language_code blockType block_type detectedBreak detected_break mid"),  # Google Vision
    **silent("responses.context inputConfig ResponseMetadata appearance orientation boundingBox"),
    **silent("geometry input_path text_type model_settings text_det_params language artefacts"),  # PaddleX, docTR
    **dict.fromkeys(
        ("tables", "paragraphs", "figures", "sections", "keyValuePairs", "documents", "hocr", "tsv"),
        "texts of tables, paragraphs and fields that lines have otherwise",
    ),
}
# Google's breaks by name and number.
_BREAKS: Final[Mapping[object, str]] = {
    **dict.fromkeys(("UNKNOWN", 0, None), ""),
    **dict.fromkeys(("SPACE", "SURE_SPACE", 1, 2), " "),
    **dict.fromkeys(("EOL_SURE_SPACE", "LINE_BREAK", 3, 5), "\n"),
    **dict.fromkeys(("HYPHEN", 4), "-\n"),
}


class _Text(NamedTuple):
    """A line as an engine gives it; where it lists no words, they are those between blanks."""

    text: str
    confidence: float | None = None
    words: _Words = ()

    def spread(self) -> Confidence:
        """Confidence of its words, if they are those of the text, else its own."""
        words = [text for text, _ in self.words]
        if words != self.text.split():
            return self.confidence
        return spread_confidences(words, [sure for _, sure in self.words])


def read_ocr_json(path: Path, *, words: bool = False, encoding: str = UTF_8) -> Layout:
    """Read all pages; regions, lines and words are called by their numbers in the file, a word LINE.WORD.

    Raises InputFileError if it is not JSON that an engine writes; names the line at which it is not.
    """
    value = decode_json(read_text(path, encoding=encoding), path, with_nan=True)
    regions: list[Region] = []
    number = 0
    try:
        for name, texts in enumerate(_read_regions(value), start=1):
            lines = []
            for number, line in enumerate(texts, start=number + 1):  # noqa: B020
                parts = line.words or [(word, line.confidence) for word in line.text.split()]
                listed = [Word(f"{number}.{at}", word, 1, sure) for at, (word, sure) in enumerate(parts, start=1)]
                lines.append(Line(str(number), line.text, 1, listed if words else (), line.spread()))
            regions.append(Region(str(name), None, 1, lines))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        why = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise InputFileError(
            f"{path}: after {count_of(number, 'line')} of text it is not as an OCR engine writes it: {why}."
        ) from None
    if not regions:
        raise InputFileError(f"{path}: expected {OCR_JSON.help}.")
    account = Account(OCR_JSON.label, path)
    account.add_json(value, (line.text or "" for region in regions for line in region.lines), _NO_TEXT)
    return make_layout(path, regions, account)


def _read_regions(value: Any) -> Iterator[Iterable[_Text]]:
    """Lines of every region, read as they are asked for."""
    if isinstance(value, list):
        if value and (_is_box(value[0]) or (isinstance(value[0], dict) and "box" in value[0])):
            yield map(_read_box, value)
        else:
            for part in value:
                yield from _read_regions(part)
    elif isinstance(value, dict):
        annotation = value.get("fullTextAnnotation", value.get("full_text_annotation"))
        if "rec_texts" in value:
            yield _read_paddle(value)
        elif "Blocks" in value:
            yield from _read_textract(value["Blocks"])
        elif annotation is not None:
            yield from _read_google(annotation)
        elif "lines" in value:
            yield (_read_line(line, value.get("words", ())) for line in value["lines"])
        elif "cells" in value:
            yield map(_read_line, value["cells"])
        else:
            for name in (*_PARTS, *(["tables"] if "blocks" in value else [])):
                yield from _read_regions(value.get(name))


def _is_box(entry: Any) -> bool:
    """Whether it is a box with a text and its score, or these alone."""
    if not isinstance(entry, list) or len(entry) < 2:
        return False
    text = entry[1][0] if isinstance(entry[1], list) and entry[1] else entry[1]
    if isinstance(entry[0], str):
        return is_number(text)
    return isinstance(text, str) and isinstance(entry[0], list) and not any(isinstance(at, str) for at in entry[0])


def _read_box(entry: Any) -> _Text:
    if isinstance(entry, dict):
        return _read_line(entry)
    if isinstance(entry[0], str):
        return _Text(entry[0], _scale(entry[1]))
    text, score = entry[1] if isinstance(entry[1], list) else (*entry[1:], None)[:2]
    return _Text(_require_text(text), _scale(score))


def _read_paddle(page: Mapping[str, Any]) -> Iterator[_Text]:
    scores = page.get("rec_scores", ())
    for number, text in enumerate(page["rec_texts"]):
        yield _Text(_require_text(text), _scale(scores[number]) if number < len(scores) else None)


def _read_line(line: Mapping[str, Any], words: Sequence[Mapping[str, Any]] = ()) -> _Text:
    """A line with its own words, or with those of its page that lie in its spans."""
    if "words" in line:
        words = line["words"]
    elif spans := [range(span["offset"], span["offset"] + span["length"]) for span in line.get("spans", ())]:
        words = [word for word in words if any(word["span"]["offset"] in span for span in spans)]
    else:
        words = ()
    listed = [(_text_of(word), _confidence_of(word)) for word in words]
    has_text = not {*_TEXTS}.isdisjoint(line)
    text = _text_of(line) if has_text else " ".join(word for word, _ in listed)
    return _Text(text.strip("\n"), _confidence_of(line), listed)


def _read_textract(blocks: Sequence[Mapping[str, Any]]) -> Iterator[Iterable[_Text]]:
    """Lines of every page; a table or form has blocks of its own for the words of lines."""
    by_id = {block.get("Id"): block for block in blocks}
    lines = [block for block in blocks if block.get("BlockType") == "LINE"]
    for page in dict.fromkeys(line.get("Page", 1) for line in lines) or [1]:
        yield (
            _Text(
                _require_text(line["Text"]),
                _confidence_of(line),
                [
                    (_require_text(by_id[child]["Text"]), _confidence_of(by_id[child]))
                    for relation in line.get("Relationships") or ()
                    for child in relation["Ids"]
                    if relation["Type"] == "CHILD" and child in by_id
                ],
            )
            for line in lines
            if line.get("Page", 1) == page
        )


def _read_google(annotation: Mapping[str, Any]) -> Iterator[Iterable[_Text]]:
    """Lines of every block; of a text without pages its own lines."""
    pages = annotation.get("pages")
    if not pages:
        yield map(_Text, annotation.get("text", "").split("\n"))
    for page in pages or ():
        for block in page.get("blocks", ()):
            yield _read_google_block(block)


def _read_google_block(block: Mapping[str, Any]) -> Iterator[_Text]:
    """Lines of a block; its words are those between blanks, as sure as the least sure part."""
    words: list[tuple[str, float | None]] = []
    letters, sure = "", list[float | None]()
    for piece, confidence in _list_pieces(block):
        if piece not in (" ", "\n"):
            letters, sure = letters + piece, [*sure, confidence]
            continue
        if letters:
            words.append((letters, None if None in sure else min(sure)))  # type: ignore[type-var]
        letters, sure = "", []
        if piece == "\n" and words:
            yield _Text(" ".join(word for word, _ in words), None, words)
            words = []


def _list_pieces(block: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    """Symbols of a block, blanks and ends of lines between them; a paragraph ends a line."""
    for paragraph in block.get("paragraphs", ()):
        for word in paragraph.get("words", ()):
            confidence = _confidence_of(word)
            for symbol in word["symbols"]:
                said = symbol.get("property") or {}
                said = said.get("detectedBreak", said.get("detected_break")) or {}
                after = _BREAKS[said.get("type", said.get("type_"))]
                pieces = [_require_text(symbol["text"]), *after]
                if said.get("isPrefix", said.get("is_prefix")):
                    pieces = [*after, symbol["text"]]
                yield from ((piece, confidence) for piece in pieces)
        yield "\n", None


def _text_of(entry: Mapping[str, Any]) -> str:
    return _require_text(entry[next((name for name in _TEXTS if name in entry), _TEXTS[0])])


def _require_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.60} is no text")
    return value


def _confidence_of(entry: Mapping[str, Any]) -> float | None:
    name = next((name for name in _SURE if name in entry), None)
    return None if name is None else _scale(entry[name], 100.0 if name == "Confidence" else 1.0)


def _scale(value: object, most: float = 1.0) -> float | None:
    return read_confidence(None if value is None else str(value), most)


def is_ocr_json(content: Content) -> bool:
    """Whether a line can be read of it, or a key says that there is none."""
    if content.value is None:
        return False
    try:
        first = next(iter(_read_regions(content.value)), None)
        return first is not None and (not _CERTAIN.isdisjoint(content.keys) or next(iter(first), None) is not None)
    except (AttributeError, LookupError, TypeError, ValueError):
        return False


OCR_JSON = Format(
    name="ocr_json",
    label="JSON of an OCR engine",
    kind="pages",
    paired_by="file",
    help="JSON of PaddleOCR, RapidOCR, docTR, Azure Read, Textract, Google Vision",
    endings=frozenset({".json"}),
    takes=frozenset({"encoding"}),
    recognise=is_ocr_json,
    read=read_ocr_json,
)
