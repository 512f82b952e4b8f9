"""The other engine as a worker, set to read lines."""

from pathlib import Path

import pytest
from tests.serve.running import running

from misread.data.segment_table import Source
from misread.engines import HttpOCR, Processes, RapidOCR

LINES = sorted((Path(__file__).resolve().parents[2] / "data/rendered_lines/images").glob("*.png"))[:3]


@pytest.mark.engine
@pytest.mark.process
def test_a_worker_that_reads_lines_gives_the_text_of_its_engine():
    sources = [Source(path.name, path) for path in LINES]
    reader = RapidOCR().open()
    direct = {source.segment_id: reader.read(source) for source in sources}
    with running("rapidocr", "--set", "detection=false") as worker:
        readings = list(Processes().run(HttpOCR(url=worker.url, medium="line_image"), sources))
    texts = {name: text.text for name, text in direct.items()}
    assert {reading.segment_id: reading.text for reading in readings} == texts
    assert all(texts.values())
