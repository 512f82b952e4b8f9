"""Files with layout of a made-up result: `python -m tools.zoo.layout tests/zoo PAGE-TO-ALTO`, the path of the program.

Environment: kraken and rapidocr without dependencies, with numpy pillow scipy shapely scikit-image jinja2
regex opencv-python-headless colorlog omegaconf; another one for ocrd-page-to-alto.
No model runs: torch is an empty module, of which the serializers use nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from unittest.mock import MagicMock

from tools.zoo.content import LEVELS, TEXTS, Zoo

_BOXES = [(40, 40 + 60 * row, 900, 90 + 60 * row) for row in range(len(TEXTS))]


def kraken(zoo: Zoo) -> None:
    """kraken: ALTO, PAGE, hOCR and ABBYY's XML of lines with boxes of characters."""
    from kraken.containers import BBoxLine, BBoxOCRRecord, Segmentation
    from kraken.serialization import serialize

    records = []
    for number, (text, (left, top, right, bottom)) in enumerate(zip(TEXTS, _BOXES, strict=True)):
        edges = [left + 18 * place for place in range(len(text) + 1)]
        cuts = [[[begin, top], [end, top], [end, bottom], [begin, bottom]] for begin, end in pairwise(edges)]
        line = BBoxLine(id=f"line{number}", bbox=(left, top, right, bottom))
        records.append(BBoxOCRRecord(text, cuts, [0.9] * len(text), line, display_order=False))
    result = Segmentation("bbox", "page.png", "horizontal-lr", False, lines=records, regions={}, line_orders=[])
    names = {"alto": "page.alto.xml", "page": "page.xml", "hocr": "page.hocr", "abbyy": "page.abbyy.xml"}
    for form, name in names.items():
        template = {"page": "pagexml", "abbyy": "abbyyxml"}.get(form, form)
        for ending, cut in (("", True), ("lines.", False)):
            written = serialize(result, (1000, 700), template=template, sub_line_segmentation=cut)
            written = re.sub(r"\d{4}-\d\d-\d\dT[\d:.+]+Z?", "2026-01-01T00:00:00", written)
            # Without words, hOCR and ABBYY's XML of kraken 7.1.1 hold no text.
            lines = TEXTS if cut or form not in {"hocr", "abbyy"} else [""] * len(TEXTS)
            levels = {"page": [" ".join(lines).strip()], "line": lines} | ({"word": LEVELS["word"]} if cut else {})
            zoo.write(f"kraken/{ending}{name}", written, "kraken", form, levels)


def page_to_alto(zoo: Zoo, program: str) -> None:
    """ocrd-page-to-alto: kraken's PAGE as ALTO of several versions."""
    source = str(zoo.path("kraken/page.xml"))
    for number in ("2.1", "3.1", "4.2"):
        command = [program, "--alto-version", number, "--no-check-border", source]
        written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        written = written.replace(source, "page.xml")
        zoo.write(f"page_to_alto/alto{number}.xml", written, "ocrd-page-to-alto", "alto", LEVELS)


def rapidocr(zoo: Zoo) -> None:
    """RapidOCR: its JSON."""
    import numpy as np
    from rapidocr.utils.to_json import ToJSON

    boxes = np.array([[[left, top], [right, top], [right, low], [left, low]] for left, top, right, low in _BOXES])
    written = json.dumps(ToJSON.to(boxes, tuple(TEXTS), (0.9,) * len(TEXTS)), ensure_ascii=False)
    zoo.write("rapidocr/page.json", written, "rapidocr", "ocr_json", {"page": [" ".join(TEXTS)], "line": TEXTS})


if __name__ == "__main__":
    for module in ("torch", "torch.nn", "torch.nn.functional"):
        sys.modules[module] = MagicMock(Tensor=type("Tensor", (), {}))
    place = Zoo(Path(sys.argv[1]))
    kraken(place)
    page_to_alto(place, sys.argv[2])
    rapidocr(place)
    place.save()
