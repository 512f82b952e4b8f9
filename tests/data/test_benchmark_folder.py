import json

import pytest

from misread.data import BenchmarkDocument, BenchmarkFolder, write_benchmark_folder
from misread.errors import ConfigurationError, InputFileError, UnknownNameError

# The example of the specification.
TEXT = "INVOICE\nInvoice Number: INV-2024-001\nDate: 2024-03-15\nTotal: $150.00"
FIELDS = {"invoice_number": "INV-2024-001", "date": "2024-03-15", "total": "$150.00"}
TRUTH = {"doc_001.png": {"full_text": TEXT, "fields": FIELDS}}


@pytest.fixture
def write(tmp_path):
    """Write the files of a data set; give its reader."""

    def write_files(truth=TRUTH, images=("doc_001.png",), metadata='{"name": "invoices"}', **settings):
        (tmp_path / "images").mkdir()
        for name in images:
            (tmp_path / "images" / name).write_bytes(b"image")
        text = truth if isinstance(truth, str) else json.dumps(truth)
        (tmp_path / "ground_truth.json").write_text(text, encoding="utf-8")
        (tmp_path / "metadata.json").write_text(metadata, encoding="utf-8")
        return BenchmarkFolder(str(tmp_path), **settings)

    return write_files


def test_the_ground_truth_of_the_specification_is_read(write):
    segments = write().segments()
    assert (segments.segment_id, segments.references) == (["doc_001.png"], [TEXT])
    assert segments.media[0].read_bytes() == b"image"


def test_fields_may_be_the_reference(write):
    (reference,) = write(reference="fields").segments().references
    assert json.loads(reference) == FIELDS


def test_a_missing_ground_truth_and_an_unknown_reference_are_named(tmp_path):
    with pytest.raises(InputFileError, match=r"there is no file .*ground_truth\.json"):
        BenchmarkFolder(str(tmp_path)).segments()
    with pytest.raises(UnknownNameError, match="There are: fields, full_text"):
        BenchmarkFolder("data", "text")


def test_fields_alone_are_enough_where_they_are_the_reference(write):
    folder = write({"doc_001.png": {"fields": FIELDS}}, reference="fields")
    assert list(map(json.loads, folder.segments().references)) == [FIELDS]
    with pytest.raises(InputFileError, match=r"'doc_001\.png' has no text under 'full_text'"):
        BenchmarkFolder(folder.root).segments()


def test_what_is_written_is_what_is_read(tmp_path):
    image = tmp_path / "scan.png"
    image.write_bytes(b"image")
    documents = {"a.png": BenchmarkDocument("one\ntwo", {"n": 1}), "b.jpg": BenchmarkDocument("Ü", {})}
    folder = tmp_path / "set"
    write_benchmark_folder(folder, documents, dict.fromkeys(documents, image), metadata={"licence": "CC0"})
    reader = BenchmarkFolder(str(folder))
    assert reader.documents() == documents
    assert reader.metadata() == {"licence": "CC0"}
    assert [image.read_bytes() for image in reader.segments().media] == [b"image", b"image"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"truth": "{"}, r"ground_truth\.json, line 1: not valid JSON"),
        ({"truth": "[]"}, r"ground_truth\.json is of type list, expected a JSON object"),
        ({"truth": {}}, r"ground_truth\.json contains no document"),
        ({"truth": {"doc_001.png": "text"}}, r"'doc_001\.png' has no text under 'full_text'"),
        ({"truth": {"doc_001.png": {"full_text": "", "fields": []}}}, "'fields' is of type list"),
        ({"truth": '{"a": 1, "a": 2}'}, "'a' occurs twice"),
        ({"images": ()}, r"there is no file .*doc_001\.png"),
        ({"images": ("doc_001.png", "doc_002.png")}, r"has no entry for doc_002\.png"),
        ({"truth": {"../doc_001.png": {"full_text": ""}}}, "leads out of the data set's folder"),
    ],
)
def test_a_broken_data_set_names_the_file_and_the_image(write, files, message):
    with pytest.raises(InputFileError, match=message):
        write(**files).segments()


@pytest.mark.parametrize(
    ("documents", "images", "message"),
    [
        ((), (), "no document"),
        (("a.png",), ("b.png",), r"a\.png, b\.png: every document needs an image"),
        (("x/a.png",), ("x/a.png",), "is not the name of a file"),
    ],
)
def test_what_cannot_be_read_again_is_not_written(tmp_path, documents, images, message):
    with pytest.raises(ConfigurationError, match=message):
        write_benchmark_folder(
            tmp_path / "set",
            {name: BenchmarkDocument("", {}) for name in documents},
            dict.fromkeys(images, tmp_path / "a.png"),
            metadata={},
        )
    assert not (tmp_path / "set").exists()
