import base64
import io
import os

import pytest
from PIL import Image

from misread.data.segment_table import SegmentTable
from misread.report.page import find_media, find_parts
from misread.report.page.media import collect_media


@pytest.fixture
def files(tmp_path):
    paths = {name: tmp_path / "data set" / f"{name}.png" for name in ("a", "b", "c")}
    for number, path in enumerate(paths.values()):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * (number + 1) * 100)
    return paths


def test_the_most_interesting_go_in_until_the_room_is_used_up(files, tmp_path):
    media = collect_media(files, ["c", "a", "b"], folder=tmp_path / "reports", budget=600)
    assert base64.b64decode(media["c"].data.partition(",")[2]) == b"x" * 300
    assert [bool(media[name].data) for name in "abc"] == [True, False, True]
    assert media["b"].link == "../data%20set/b.png"


def test_a_file_that_is_gone_is_left_out(files, tmp_path):
    files["a"].unlink()
    assert "a" not in collect_media(files, ["a", "b"], folder=tmp_path, budget=1000)


def test_what_browsers_cannot_show_is_linked(tmp_path):
    path = tmp_path / "scan.tif"
    path.write_bytes(b"II*")
    medium = collect_media({"a": path}, ["a"], folder=tmp_path, budget=1000)["a"]
    assert (medium.kind, medium.data, medium.link) == ("file", "", "scan.tif")


def test_a_data_set_that_is_gone_gives_the_reason(tmp_path):
    table = SegmentTable(segment_id=["a"], references=["one"], media=[tmp_path / "a.png"])
    assert find_media(table) == ({}, f"There is no file {tmp_path / 'a.png'}.")
    (tmp_path / "a.png").write_bytes(b"")
    assert find_media(table) == ({"a": tmp_path / "a.png"}, "")


def test_recorded_outputs_have_no_media_and_need_no_reason():
    assert find_media(SegmentTable(segment_id=["a"], references=["one"], hypotheses={"s": ["on"]})) == ({}, "")


def test_a_file_whose_name_is_not_utf_8_is_linked(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff scan.tif")
    path.write_bytes(b"II*")
    assert collect_media({"a": path}, ["a"], folder=tmp_path, budget=1000)["a"].link == "%FF%20scan.tif"


def test_a_part_of_a_page_is_in_and_the_page_is_linked(tmp_path):
    page = tmp_path / "page.tif"
    Image.new("L", (100, 50), 7).save(page)
    (tmp_path / "gone.tif").write_bytes(b"II*")
    box = ((0, 0), (30, 0), (30, 10), (0, 10))
    table = SegmentTable(
        segment_id=["a", "b", "c"],
        references=["one", "two", "three"],
        media=[page, tmp_path / "gone.tif", page],
        areas=[box, box, tuple((x, y + 20) for x, y in box)],
    )
    media = collect_media(find_media(table)[0], "abc", folder=tmp_path, budget=10_000, parts=find_parts(table))
    assert Image.open(io.BytesIO(base64.b64decode(media["a"].data.partition(",")[2]))).size == (30, 10)
    assert [(of.kind, bool(of.data), of.link) for of in media.values()] == [
        ("image", True, "page.tif"),
        ("file", False, "gone.tif"),
        ("image", True, "page.tif"),
    ]
    few = collect_media(find_media(table)[0], "abc", folder=tmp_path, budget=10, parts=find_parts(table))
    assert not any(of.data for of in few.values())
