from pathlib import Path

from misread.data.segment_table import SegmentTable, TextFacts
from misread.storage import read_segments, write_segments

AREAS = [((0, -5), (9, 0), (9, 5)), ((0, 5), (9, 5), (9, 9), (0, 9))]


def test_parts_of_images_and_of_the_data_set_are_read_as_written(tmp_path):
    table = SegmentTable(
        name="few",
        digest="0123",
        segment_id=["a", "b"],
        references=["one", "two"],
        media=[tmp_path / "ü 1.png", tmp_path / "2.png"],
        areas=AREAS,
        times=[(0.0, 1.5), (1.5, 2.0)],
        facts=TextFacts(notes=("few has 2 of 9 segments (at most 2).",), part="at most 2"),
    )
    path = tmp_path / "few.parquet"
    write_segments(path, table, offers=frozenset({"line_image"}), root=str(tmp_path), folder=Path(tmp_path))
    found, offers = read_segments(path, data_root="")
    assert (found, offers) == (table, {"line_image"})
