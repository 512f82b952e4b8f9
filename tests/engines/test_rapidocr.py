import pytest
from PIL import Image

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.engines.rapidocr import RapidOCR
from misread.engines.source_readers import Processes

pytestmark = pytest.mark.engine

TEXT = "The quick brown fox"


@pytest.fixture(scope="module")
def reader():
    return RapidOCR().open()


@pytest.fixture(scope="module")
def page_reader():
    return RapidOCR(detection=True).open()


def test_a_printed_line_is_read(reader, line_source):
    assert reader.read(line_source(TEXT)).text == TEXT


def test_the_lines_of_a_page_have_a_confidence_and_no_words_and_no_option_of_another_call_stays(
    page_reader, line_source
):
    page = line_source("The quick brown", "fox jumps over")
    answer = page_reader.read(page)
    assert answer.text == "The quick brown\nfox jumps over"
    assert 0.5 < answer.confidence <= 1
    assert answer.words is None
    page_reader.engine(page.media, use_det=False, return_word_box=True)
    assert page_reader.read(page) == answer


@pytest.mark.parametrize("size", [(300, 60), (600, 800)], ids=["line", "page"])
def test_white_paper_is_an_empty_text(reader, page_reader, tmp_path, size):
    Image.new("L", size, 255).save(tmp_path / "a.png")
    assert (page_reader if size[1] > 60 else reader).read(Source("a", tmp_path / "a.png")).text == ""


def test_a_process_of_its_own_reads_what_the_reader_here_does(reader, line_source):
    words = ["alpha", "beta gamma", "delta", "epsilon 42"]
    sources = [line_source(word, name=f"{number}.png") for number, word in enumerate(words)]
    read = {reading.segment_id: reading.text for reading in Processes(1).run(RapidOCR(), sources)}
    assert read == {source.segment_id: reader.read(source).text for source in sources}
    assert list(map(read.get, map(str, range(len(words))))) == words


@pytest.mark.parametrize("mode", ["1", "P", "RGB", "RGBA", "black on nothing"])
def test_every_common_kind_of_image_is_read(reader, draw, tmp_path, mode):
    if mode == "black on nothing":
        image = Image.new("RGBA", draw(TEXT).size, 0)
        image.putalpha(draw(TEXT).point(lambda value: 255 - value))
    else:
        image = draw(TEXT).convert(mode)
    image.save(tmp_path / "a.png")
    assert reader.read(Source("a", tmp_path / "a.png")).text == TEXT


def test_a_damaged_image_is_named(reader, line_source):
    source = line_source(TEXT)
    source.media.write_bytes(source.media.read_bytes()[:600])
    with pytest.raises(UnreadableSourceError, match=r"line\.png is damaged or cut short \(600 bytes\)"):
        reader.read(source)


@pytest.mark.parametrize(("detection", "kind"), [(False, "line_image"), (True, "page_image")])
def test_it_reads_lines_or_pages(detection, kind):
    assert RapidOCR(detection=detection).reads == {kind}


def test_versions_name_the_package_the_runtime_and_the_models():
    versions = RapidOCR().versions()
    assert set(versions) == {"rapidocr", "onnxruntime", "models"}
    assert len(versions["models"]) == 64


def test_each_word_of_a_line_has_a_confidence_and_so_has_the_text(reader, line_source):
    answer = reader.read(line_source(TEXT))
    assert [word.text for word in answer.words] == TEXT.split()
    assert all(0.5 < word.confidence <= 1 for word in answer.words)
    assert 0.5 < answer.confidence <= 1
