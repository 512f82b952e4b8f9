"""Results of OCR engines and of Inspect: `python -m tools.zoo.engines tests/zoo PROGRAM...`.

Environment, without dependencies: python-doctr paddlex pagexml-tools; and google-cloud-vision
azure-ai-documentintelligence amazon-textract-response-parser numpy Pillow shapely scipy lxml defusedxml regex pyyaml
pydantic opencv-python-headless; another one for inspect_ai.
"""

from __future__ import annotations

import json
import os
import re
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import gettempdir
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

from tools.zoo.content import LEVELS, PRINTED, TEXTS, Zoo


def _bare(*packages: str) -> None:
    """Packages whose modules can be imported without what they import themselves, and without models."""
    for name in packages:
        spec = find_spec(name)
        assert spec
        module = sys.modules[name] = ModuleType(name)
        module.__path__ = list(spec.submodule_search_locations or ())


def _write(zoo: Zoo, name: str, package: str, value: Any, levels: dict[str, list[str]] = LEVELS) -> None:
    zoo.write(name, json.dumps(value, ensure_ascii=False), package, "ocr_json", levels)


def doctr(zoo: Zoo) -> None:
    """docTR: the export of a document, and its hOCR."""
    _bare("doctr", "doctr.io", "doctr.utils", "doctr.models")
    for name in ("anyascii", "doctr.utils.reconstitution", "doctr.utils.visualization"):
        sys.modules[name] = MagicMock()
    sys.modules["doctr"].__version__ = version("python-doctr")
    import numpy as np
    from doctr.io.elements import Block, Document, Line, Page, Word

    lines = []
    for row, text in enumerate(TEXTS):
        words, top = text.split(), 0.1 + 0.1 * row
        # Arabic runs from right to left: docTR orders by place.
        places = range(len(words)) if row != 1 else range(len(words))[::-1]
        boxes = [((0.1 + 0.1 * at, top), (0.19 + 0.1 * at, top + 0.05)) for at in places]
        crop = {"value": 0, "confidence": None}
        lines.append(Line([Word(word, 0.9, box, 0.9, crop) for word, box in zip(words, boxes, strict=True)]))
    size = (700, 1000)
    page = Page(np.zeros((*size, 3), dtype=np.uint8), [Block(lines=[line]) for line in lines], 0, size)
    levels = {**LEVELS, "region": TEXTS}
    _write(zoo, "doctr/page.json", "python-doctr", Document([page]).export(), levels)
    zoo.write("doctr/page.hocr", Document([page]).export_as_xml()[0][0].decode(), "python-doctr", "hocr", levels)


def paddlex(zoo: Zoo) -> None:
    """PaddleX, which PaddleOCR writes its results with: the JSON of a page."""
    names = ("", ".utils", ".inference", ".inference.common", ".inference.utils", ".inference.pipelines")
    _bare(*(f"paddlex{name}" for name in names), "paddlex.inference.pipelines.ocr")
    absent = "pypdfium2 soundfile requests decord filelock ruamel ruamel.yaml paddlex.inference.utils.io"
    for name in (*absent.split(), *(f"paddlex.utils.{part}" for part in ("deps", "fonts", "logging"))):
        sys.modules[name] = MagicMock()
    unchanged = {f"{kind}_requires_deps": lambda *_: lambda wrapped: wrapped for kind in ("class", "function")}
    sys.modules["paddlex.utils.deps"] = MagicMock(**unchanged)
    import numpy as np
    from paddlex.inference.pipelines.ocr.result import OCRResult

    boxes = np.array([[40, 40 + 60 * row, 900, 90 + 60 * row] for row in range(len(TEXTS))])
    polygons = [np.array([[left, top], [right, top], [right, low], [left, low]]) for left, top, right, low in boxes]
    result = OCRResult(
        {
            **{"input_path": "page.png", "page_index": None, "model_settings": {"use_doc_preprocessor": False}},
            **{"dt_polys": polygons, "rec_polys": polygons, "rec_boxes": boxes, "text_type": "general"},
            **{"text_det_params": {"limit_side_len": 64}, "text_rec_score_thresh": 0.0, "return_word_box": False},
            **{"rec_texts": TEXTS, "rec_scores": [0.9] * len(TEXTS), "doc_preprocessor_res": None},
        }
    )
    _write(zoo, "paddlex/page.json", "paddlex", result.json["res"], {key: LEVELS[key] for key in ("page", "line")})


def google_vision(zoo: Zoo) -> None:
    """Client of Google Vision: the JSON of an answer, with names of fields of JSON and of Python."""
    from google.cloud import vision

    breaks = vision.TextAnnotation.DetectedBreak.BreakType
    paragraphs = []
    for text in TEXTS:
        words = []
        for word in text.split():
            symbols = [vision.Symbol(text=letter, confidence=0.9) for letter in word]
            symbols[-1].property.detected_break.type_ = breaks.SPACE
            words.append(vision.Word(symbols=symbols, confidence=0.9))
        words[-1].symbols[-1].property.detected_break.type_ = breaks.LINE_BREAK
        paragraphs.append(vision.Paragraph(words=words))
    page = vision.Page(width=1000, height=700, blocks=[vision.Block(paragraphs=paragraphs)])
    annotation = vision.TextAnnotation(text="".join(f"{text}\n" for text in TEXTS), pages=[page])
    every = [vision.EntityAnnotation(description=text) for text in (annotation.text, *LEVELS["word"])]
    answer = vision.AnnotateImageResponse(full_text_annotation=annotation, text_annotations=every)
    for name, options in (("json", {}), ("python", {"preserving_proto_field_name": True})):
        for numbers in (True, False):
            value = json.loads(type(answer).to_json(answer, use_integers_for_enums=numbers, **options))
            _write(zoo, f"google_vision/{name}{'_numbers' * numbers}.json", "google-cloud-vision", value)


def azure(zoo: Zoo) -> None:
    """Client of Azure Document Intelligence: the JSON of a result."""
    from azure.ai.documentintelligence import models as kinds

    lines, words, start = [], [], 0
    for text in TEXTS:
        lines.append(kinds.DocumentLine(content=text, spans=[kinds.DocumentSpan(offset=start, length=len(text))]))
        for at in re.finditer(r"\S+", text):
            span = kinds.DocumentSpan(offset=start + at.start(), length=len(at[0]))
            words.append(kinds.DocumentWord(content=at[0], span=span, confidence=0.9))
        start += len(text) + 1
    span = kinds.DocumentSpan(offset=0, length=start - 1)
    page = kinds.DocumentPage(page_number=1, spans=[span], lines=lines, words=words, width=8, height=11, unit="inch")
    result = kinds.AnalyzeResult(
        api_version="2024-11-30",
        model_id="prebuilt-read",
        string_index_type="unicodeCodePoint",
        content_format="text",
        content="\n".join(TEXTS),
        pages=[page],
        paragraphs=[kinds.DocumentParagraph(content=" ".join(TEXTS), spans=[span])],
    )
    _write(zoo, "azure/result.json", "azure-ai-documentintelligence", result.as_dict())


def textract(zoo: Zoo) -> None:
    """Response parser of Amazon Textract: a document as it writes it again."""
    from trp.trp2 import TDocumentSchema

    blocks: list[dict[str, Any]] = []
    page = {"BlockType": "PAGE", "Id": "page", "Page": 1, "Relationships": [{"Type": "CHILD", "Ids": []}]}
    for row, text in enumerate(TEXTS):
        words = [f"word{row}.{at}" for at, _ in enumerate(text.split())]
        page["Relationships"][0]["Ids"].append(f"line{row}")
        blocks.append({"BlockType": "LINE", "Id": f"line{row}", "Page": 1, "Text": text, "Confidence": 90.0})
        blocks[-1]["Relationships"] = [{"Type": "CHILD", "Ids": words}]
        for name, word in zip(words, text.split(), strict=True):
            blocks.append({"BlockType": "WORD", "Id": name, "Page": 1, "Text": word, "Confidence": 90.0})
            blocks[-1]["TextType"] = "PRINTED"
    for block in (page, *blocks):
        corners = [{"X": x, "Y": y} for x, y in ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))]
        box = {"Left": 0.1, "Top": 0.1, "Width": 0.8, "Height": 0.8}
        block["Geometry"] = {"BoundingBox": box, "Polygon": corners}
    document = {"DocumentMetadata": {"Pages": 1}, "Blocks": [page, *blocks]}
    written = TDocumentSchema().dump(TDocumentSchema().load(document))
    _write(zoo, "textract/result.json", "amazon-textract-response-parser", written)


def pagexml_tools(zoo: Zoo) -> None:
    """pagexml-tools: PAGE-XML of two regions with lines and words."""
    for name in ("fuzzy_search", "py7zr", "pagexml.analysis", "pagexml.analysis.layout_stats"):
        sys.modules.setdefault(name, MagicMock())
    from pagexml.model import physical_document_model as model

    regions, top = [], 40
    for number, lines in enumerate(PRINTED):
        drawn = []
        for row, text in enumerate(lines):
            box = model.Coords([(40, top), (900, top), (900, top + 40), (40, top + 40)])
            listed = enumerate(text.split())
            words = [model.PageXMLWord(doc_id=f"r{number}l{row}w{at}", text=word, coords=box) for at, word in listed]
            drawn.append(model.PageXMLTextLine(doc_id=f"r{number}l{row}", text=text, words=words, coords=box))
            top += 60
        regions.append(model.PageXMLTextRegion(doc_id=f"r{number}", lines=drawn, coords=drawn[0].coords))
    page = model.PageXMLPage(doc_id="page.png", text_regions=regions, coords=regions[0].coords)
    size = {"scan_width": 1000, "scan_height": 700}
    scan = model.PageXMLScan(doc_id="page.png", coords=page.coords, text_regions=regions, metadata=size)
    written = scan.to_pagexml(tostring=True)
    written = written.decode() if isinstance(written, bytes) else written
    content = re.sub(r"\d{4}-\d\d-\d\dT[\d:.+Z]+", "2026-01-01T00:00:00", written)
    lines = [line for paragraph in PRINTED for line in paragraph]
    levels = {"page": [" ".join(lines)], "region": ["\n".join(paragraph) for paragraph in PRINTED], "line": lines}
    levels["word"] = [word for line in lines for word in line.split()]
    zoo.write("pagexml_tools/page.xml", content, "pagexml-tools", "page", levels)


def inspect(zoo: Zoo) -> None:
    """Inspect: logs of a task that a model of mock answers solved, as .json and .eval."""
    from inspect_ai import Task
    from inspect_ai import eval as run_task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match

    os.chdir(gettempdir())  # A log names the repository that it is written in.
    for form in ("json", "eval"):
        answers = [ModelOutput.from_content("mockllm/model", f"{text} yes") for text in TEXTS]
        for answer in answers:
            answer.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        samples = [Sample(input=f"Line {number}?", target=text, id=f"s{number}") for number, text in enumerate(TEXTS)]
        model = get_model("mockllm/model", custom_outputs=answers)
        folder = zoo.path("inspect/x").parent
        task = Task(dataset=samples, scorer=match(), name="lines")
        log = run_task(task, model=model, log_format=form, log_dir=str(folder), display="none", max_samples=1)[0]
        Path(log.location.removeprefix("file://")).rename(folder / f"lines.{form}")
        texts = {"reference": TEXTS, "text": [f"{text} yes" for text in TEXTS]}
        zoo.add(f"inspect/lines.{form}", "inspect_ai", "inspect", texts)


if __name__ == "__main__":
    place = Zoo(Path(sys.argv[1]).resolve())
    for program in sys.argv[2:]:
        globals()[program](place)
        place.save()
