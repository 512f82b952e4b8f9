"""Outputs of systems that ran elsewhere, attached to an image folder or a benchmark folder."""

import json

import pytest

from misread.data import BenchmarkFolder, ImageFolder
from misread.engines import Recorded, why_not_applicable
from misread.errors import ConfigurationError, InputFileError

IMAGES = ("a.png", "b.jpg", "c.png")


@pytest.fixture
def images(tmp_path):
    """Three images with transcriptions, and the files given; a reader of them."""

    def make(files, verbatim=False, **recorded):
        for name in IMAGES:
            (tmp_path / name).touch()
            (tmp_path / name).with_suffix(".gt.txt").write_text(f"truth of {name}")
        write(tmp_path, files)
        patterns = ["*.png", "*.jpg"]
        return ImageFolder(str(tmp_path), patterns, "page_image", recorded=recorded, verbatim=verbatim)

    return make


@pytest.fixture
def documents(tmp_path):
    """The same as a benchmark folder."""

    def make(files, reference="full_text", verbatim=False, **recorded):
        (tmp_path / "images").mkdir()
        for name in IMAGES:
            (tmp_path / "images" / name).touch()
        truth = {name: {"full_text": f"truth of {name}", "fields": {"n": 1}} for name in IMAGES}
        write(tmp_path, {"ground_truth.json": json.dumps(truth), "metadata.json": "{}", **files})
        return BenchmarkFolder(str(tmp_path), reference, recorded=recorded, verbatim=verbatim)

    return make


def write(root, files):
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")


def test_texts_beside_images_are_found_by_their_ending(images):
    reader = images({"a.one.txt": "one\n", "c.one.txt": ""}, one=".one.txt")
    assert reader.segments().hypotheses == {"one": ["one", None, ""]}


@pytest.mark.parametrize("kind", ["images", "documents"])
@pytest.mark.parametrize("place", ["ocr/one", "./ocr/one", "ocr/../ocr/one/"])
def test_texts_in_a_folder_are_found_by_the_name_or_the_stem_of_the_image(request, kind, place):
    make = request.getfixturevalue(kind)
    reader = make(
        {"ocr/one/b.jpg.txt": "of b\r\nend\r\n", "ocr/one/deep/a.txt": "of a", "ocr/one/notes.md": ""}, one=place
    )
    assert reader.segments().hypotheses == {"one": ["of a", "of b\nend", None]}


@pytest.mark.parametrize("kind", ["images", "documents"])
def test_texts_in_a_json_file_are_found_by_the_name_or_the_stem_and_null_is_none(request, kind):
    make = request.getfixturevalue(kind)
    reader = make({"one.json": json.dumps({"b": "of b\n", "a.png": "", "c.png": None})}, one="one.json")
    assert reader.segments().hypotheses == {"one": ["", "of b\n", None]}


def test_names_that_differ_in_their_unicode_form_are_the_same(tmp_path):
    (tmp_path / "e\u0301.png").touch()
    write(tmp_path, {"e\u0301.gt.txt": "truth", "ocr/\u00e9.txt": "read"})
    reader = ImageFolder(str(tmp_path), ["*.png"], "line_image", recorded={"one": "ocr"})
    assert reader.segments().hypotheses == {"one": ["read"]}


def test_several_systems_and_the_images_themselves_are_offered(images):
    reader = images({"ocr/a.txt": "x", "two.json": '{"a": "y"}'}, one="ocr", two="two.json")
    assert reader.offers == {"page_image", "recorded:one", "recorded:two"}
    assert why_not_applicable(Recorded("one"), reader.offers) == ""
    source = reader.segments().sources()[0]
    assert (Recorded("two").open().read(source), source.media.name) == ("y", "a.png")


def test_without_recorded_outputs_nothing_else_is_offered(documents):
    reader = documents({})
    assert (reader.offers, reader.segments().hypotheses) == ({"page_image"}, {})


@pytest.mark.parametrize(
    ("files", "place", "said"),
    [
        ({}, "ocr", r"setting recorded\.one: there is no folder .*ocr"),
        ({}, "one.json", r"there is no file .*one\.json"),
        ({}, "../ocr", "leads out of the data set's folder"),
        ({}, ".hidden/ocr", "is hidden"),
        ({"ocr/x.txt": "of nothing"}, "ocr", r"x\.txt has the name of none of the images, or of several"),
        ({"ocr/a.txt": "1", "ocr/a.png.txt": "2"}, "ocr", r"a\.png\.txt and .*a\.txt are both for a\.png"),
        ({"ocr/notes.md": ""}, "ocr", "'ocr' has no text for any of the 3 images"),
        ({"one.json": "[]"}, "one.json", "is of type list, expected texts by image"),
        ({"one.json": '{"x": ""}'}, "one.json", "one.json: 'x' has the name of none of the images"),
        ({"one.json": '{"a": "", "a.png": ""}'}, "one.json", "one.json: 'a' and 'a.png' are both for a.png"),
        ({"one.json": '{"a": 1}'}, "one.json", "'a' in .* is of type int, expected a text, or null"),
        ({"one.json": '{"a": null}'}, "one.json", "has no text for any of the 3 images"),
        ({"one.json": "{"}, "one.json", "not valid JSON"),
        ({"ocr/a.txt": "<html>"}, "ocr", r"a\.txt is .*HTML.*, not plain text"),
    ],
)
@pytest.mark.parametrize("kind", ["images", "documents"])
def test_what_cannot_be_attached_is_named(request, kind, files, place, said):
    with pytest.raises(InputFileError, match=said):
        request.getfixturevalue(kind)(files, one=place).segments()


def test_an_ending_that_no_file_has_is_named(images):
    with pytest.raises(InputFileError, match=r"'\.one\.txt' has no text for any of the 3 images"):
        images({}, one=".one.txt").segments()


@pytest.mark.parametrize(("place", "said"), [("", "is '', expected"), (".gt.txt", "where the transcriptions are, too")])
def test_a_place_that_can_be_none_is_refused(images, place, said):
    with pytest.raises(ConfigurationError, match=f"recorded.one is .*{said}" if place else said):
        images({}, one=place)


@pytest.mark.parametrize("place", ["", ".one.txt"])
def test_a_benchmark_folder_has_nothing_beside_its_images(documents, place):
    with pytest.raises(ConfigurationError, match=r"expected a folder or a \.json file"):
        documents({}, one=place)


@pytest.mark.parametrize("kind", ["images", "documents"])
def test_markup_is_taken_as_it_is_where_that_is_meant(request, kind):
    reader = request.getfixturevalue(kind)({"ocr/a.txt": "<html>"}, verbatim=True, one="ocr")
    assert reader.segments().hypotheses == {"one": ["<html>", None, None]}


def test_recorded_answers_of_fields_are_json(documents):
    reader = documents({"ocr/a.txt": '{"n": 1}'}, reference="fields", one="ocr")
    assert reader.segments().hypotheses == {"one": ['{"n": 1}', None, None]}
