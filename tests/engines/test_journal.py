import json
import os

import pytest

from misread.engines.journal import Journal
from misread.records import Reading, Source

SYSTEM = {"_target_": "misread.engines.Tesseract", "revision": 1, "versions": {"tesseract": "5.5"}}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal" / "lines.jsonl"


@pytest.fixture
def source(tmp_path):
    """Write an image's bytes, give it as a source."""

    def make(segment_id="a", content=b"pixels"):
        (tmp_path / f"{segment_id}.png").write_bytes(content)
        return Source(segment_id, tmp_path / f"{segment_id}.png")

    return make


def reading(segment_id="a", text="one"):
    return Reading(segment_id, text, None, 0.25, 4096)


def test_an_empty_journal_finds_nothing(path, source):
    assert Journal(path, SYSTEM).find(source()) is None


def test_what_was_kept_is_not_found_by_a_journal_opened_before(path, source):
    journal = Journal(path, SYSTEM)
    journal.keep(source(), reading())
    assert journal.find(source()) is None


def test_what_was_kept_is_found_by_the_next_run(path, source):
    Journal(path, SYSTEM).keep(source(), reading())
    assert Journal(path, SYSTEM).find(source()) == reading()


@pytest.mark.parametrize("text", ["", "é漢😀", "two\nlines\r\n", "\u2028\x85\x1c\x00", "\ud800"])
def test_a_text_is_found_as_it_was_kept(path, source, text):
    Journal(path, SYSTEM).keep(source(), reading(text=text))
    assert Journal(path, SYSTEM).find(source()).text == text


def test_a_changed_image_is_not_found(path, source):
    Journal(path, SYSTEM).keep(source(), reading())
    assert Journal(path, SYSTEM).find(source(content=b"other pixels")) is None


def test_an_image_that_was_touched_but_not_changed_is_found(path, source):
    Journal(path, SYSTEM).keep(source(), reading())
    image = source()
    os.utime(image.media, (0, 0))
    assert Journal(path, SYSTEM).find(image) == reading()


def test_the_same_image_under_another_name_is_found_for_that_segment(path, source):
    Journal(path, SYSTEM).keep(source("a"), reading("a"))
    assert Journal(path, SYSTEM).find(source("b")) == reading("b")


@pytest.mark.parametrize(
    "other",
    [{**SYSTEM, "revision": 2}, {**SYSTEM, "versions": {"tesseract": "5.6"}}, {**SYSTEM, "language": "fra"}, {}],
)
def test_readings_of_other_settings_are_not_found(path, source, other):
    Journal(path, SYSTEM).keep(source(), reading())
    assert Journal(path, other).find(source()) is None


def test_the_order_of_settings_makes_no_difference(path, source):
    Journal(path, SYSTEM).keep(source(), reading())
    assert Journal(path, dict(reversed(SYSTEM.items()))).find(source()) == reading()


def test_a_failed_reading_is_not_kept(path, source):
    Journal(path, SYSTEM).keep(source(), Reading("a", None, "a.png is damaged", 0.1, 4096))
    assert Journal(path, SYSTEM).find(source()) is None


def test_a_reading_without_an_image_is_not_kept(path):
    recorded = Source("a", None, {"pero": "one"})
    Journal(path, SYSTEM).keep(recorded, reading())
    assert Journal(path, SYSTEM).find(recorded) is None


def test_a_later_reading_of_the_same_image_counts(path, source):
    Journal(path, SYSTEM).keep(source(), reading(text="old"))
    Journal(path, SYSTEM).keep(source(), reading(text="new"))
    assert Journal(path, SYSTEM).find(source()).text == "new"


@pytest.mark.parametrize("cut", [1, 2, 20, 150])
def test_a_last_line_cut_short_leaves_the_others_to_be_found(path, source, cut):
    first, last = source("a", b"1"), source("b", b"2")
    Journal(path, SYSTEM).keep(first, reading("a"))
    Journal(path, SYSTEM).keep(last, reading("b"))
    path.write_bytes(path.read_bytes()[:-cut])
    assert Journal(path, SYSTEM).find(first) == reading("a")


def test_a_line_cut_short_is_not_found_and_said(path, source, caplog):
    Journal(path, SYSTEM).keep(source(), reading())
    path.write_bytes(path.read_bytes()[:-20])
    assert Journal(path, SYSTEM).find(source()) is None
    assert "perhaps it was cut short" in caplog.text


@pytest.mark.parametrize(
    "line",
    [
        {"segment_id": "b", "text": "two", "latency_seconds": 0.1, "peak_memory_bytes": 1},
        {"key": None, "text": "two", "latency_seconds": 0.1, "peak_memory_bytes": 1},
        {"key": "k", "text": None, "latency_seconds": 0.1, "peak_memory_bytes": 1},
        {"key": "k", "text": "two", "latency_seconds": "0.1", "peak_memory_bytes": 1},
        {"key": "k", "text": "two", "latency_seconds": 0.1, "peak_memory_bytes": True},
        {"key": "k"},
        {},
        [],
        "key",
        None,
        5,
    ],
    ids=json.dumps,
)
def test_a_line_that_is_not_a_reading_is_named_and_costs_no_other_reading(path, source, caplog, line):
    first, last = source("a", b"1"), source("b", b"2")
    Journal(path, SYSTEM).keep(first, reading("a"))
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    Journal(path, SYSTEM).keep(last, reading("b"))
    journal = Journal(path, SYSTEM)
    assert (journal.find(first), journal.find(last)) == (reading("a"), reading("b"))
    assert "lines.jsonl, line 2 is not a valid reading" in caplog.text
    assert len(path.read_text().splitlines()) == 3


def test_a_damaged_reading_is_read_again_and_found_from_then_on(path, source):
    Journal(path, SYSTEM).keep(source(), reading())
    path.write_text(path.read_text().replace('"text"', '"txt"'))
    assert Journal(path, SYSTEM).find(source()) is None
    Journal(path, SYSTEM).keep(source(), reading())
    assert Journal(path, SYSTEM).find(source()) == reading()


@pytest.mark.parametrize("cut", [1, 2, 20, 150])
def test_what_is_kept_after_a_line_cut_short_is_found(path, source, cut):
    Journal(path, SYSTEM).keep(source("a", b"1"), reading("a"))
    path.write_bytes(path.read_bytes()[:-cut])
    Journal(path, SYSTEM).keep(source("b", b"2"), reading("b"))
    assert Journal(path, SYSTEM).find(source("b", b"2")) == reading("b")


def test_a_line_that_lost_only_its_newline_is_found(path, source):
    Journal(path, SYSTEM).keep(source(), reading())
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    assert Journal(path, SYSTEM).find(source()) == reading()


def test_bytes_that_are_no_text_are_passed_over(path, source):
    Journal(path, SYSTEM).keep(source(), reading())
    path.write_bytes(path.read_bytes() + b"\x00\x00\xff\xfe")
    assert Journal(path, SYSTEM).find(source()) == reading()


def test_each_reading_is_one_line_of_json(path, source):
    for segment_id in "ab":
        Journal(path, SYSTEM).keep(source(segment_id), reading(segment_id, "two\nlines"))
    assert [json.loads(line)["segment_id"] for line in path.read_text().split("\n")[:-1]] == ["a", "b"]
