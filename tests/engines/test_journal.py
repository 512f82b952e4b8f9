import json
import math
import os
import subprocess
import sys
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from misread.data.segment_table import Source, Word
from misread.engines.base import Reading
from misread.engines.journal import Journal
from misread.errors import OutputFileError

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


def reading(segment_id="a", text="one", **more):
    return Reading(segment_id, text, None, 0.25, 4096, **more)


def keep(path, source, reading, system=SYSTEM):
    with Journal(path, system) as journal:
        journal.keep(journal.key(source), reading)


def find(path, source, system=SYSTEM):
    with Journal(path, system) as journal:
        return journal.find(journal.key(source), source)


TEXTS, SECONDS, NUMBERS = st.text(max_size=5), st.floats(0, 1e6), st.none() | st.integers(0, 2**63 - 1)
READINGS = st.builds(
    Reading,
    st.just("a"),
    st.none() | TEXTS,
    st.none() | TEXTS,
    SECONDS,
    NUMBERS,
    attempts=NUMBERS,
    raw=st.none() | TEXTS,
    confidence=st.none() | st.floats(0, 1),
    words=st.none() | st.lists(st.builds(Word, TEXTS, st.floats(0, 1)), max_size=2).map(tuple),
    warm_up=st.booleans(),
    start_up_seconds=st.none() | SECONDS,
    first_byte_seconds=st.none() | SECONDS,
    input_tokens=NUMBERS,
    output_tokens=NUMBERS,
    concurrency=NUMBERS,
    batch_size=NUMBERS,
    server_version=st.none() | TEXTS,
    served_model=st.none() | TEXTS,
    language=st.none() | TEXTS,
)


@given(READINGS)
@example(reading(text="two\nlines\r\n\u2028\x85\x1c\x00", raw="é漢😀"))
def test_all_of_a_reading_is_found_at_once_and_by_the_next_run(tmp_path_factory, whole):
    folder = tmp_path_factory.mktemp("journal")
    (folder / "a.png").write_bytes(b"pixels")
    path, image = folder / "lines.jsonl", Source("a", folder / "a.png")
    assert find(path, image) is None
    with Journal(path, SYSTEM) as journal:
        key = journal.key(image)
        journal.keep(key, whole)
        assert journal.find(key, image) == whole
    assert find(path, image) == whole


def test_conditions_find_no_reading_and_an_earlier_line_has_none(path, source):
    keep(path, source(), reading(), {**SYSTEM, "concurrency": 4})
    with Journal(path, {**SYSTEM, "concurrency": 16}) as journal:
        key = journal.key(source())
        assert set(journal.find(key, source()).conditions.values()) == {None}
        journal.keep(key, reading(concurrency=16, server_version="2"))
    conditions = find(path, source()).conditions
    assert conditions == {"concurrency": 16, "batch size": None, "server version": "2"}


def test_a_text_of_a_class_of_its_own_is_kept_as_a_text(path, source):
    class Answered(str):
        pass

    keep(path, source(), reading(text=Answered("one")))
    assert find(path, source()) == reading()


def write_line(path, source, **changes):
    """A line as another program may have written it, with its checksum."""
    with Journal(path, SYSTEM) as journal:
        key = journal.key(source)
    entry = {"format": 1, "segment_id": "a", "text": "é", "reason": None, "latency_seconds": math.nan}
    entry |= {"peak_memory_bytes": None, "attempts": 1, "raw": None, "confidence": None} | changes
    content = key.hex().encode() + b" " + json.dumps(entry).encode()
    path.write_bytes(b"%08x %s\n" % (zlib.crc32(content), content))


def test_a_line_that_was_written_with_escapes_is_found(path, source):
    write_line(path, source())
    found = find(path, source())
    assert (found.text, math.isnan(found.latency_seconds)) == ("é", True)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "a\ud800"},
        {"text": 5},
        {"raw": "\udfff"},
        {"batch_size": 2**63},
        {"input_tokens": True},
        {"attempts": -1},
        {"words": [["a\ud800", 0.5]]},
        {"words": [["a"]]},
        {"words": 5},
        {"unknown": 1},
    ],
)
def test_a_line_that_no_reading_can_be_made_of_is_asked_for_again(path, source, changes, caplog):
    write_line(path, source(), **changes)
    assert find(path, source()) is None
    assert "lines.jsonl: the reading of segment 'a' cannot be taken from it" in caplog.text
    keep(path, source(), reading())
    assert find(path, source()) == reading()


def test_an_image_larger_than_a_buffer_is_told_by_its_last_byte(path, source):
    large = [source(segment_id, bytes(1 << 17) + segment_id.encode()) for segment_id in "ab"]
    with Journal(path, SYSTEM) as journal:
        assert journal.key(large[0]) != journal.key(large[1])


def test_an_image_that_was_touched_but_not_changed_is_found(path, source):
    keep(path, source(), reading())
    image = source()
    os.utime(image.media, (0, 0))
    assert find(path, image) == reading()


def test_the_same_image_under_another_name_is_found_for_that_segment(path, source):
    keep(path, source("a"), reading("a"))
    assert find(path, source("b")) == reading("b")


@pytest.mark.parametrize(
    "other",
    [{**SYSTEM, "revision": 2}, {**SYSTEM, "versions": {"tesseract": "5.6"}}, {**SYSTEM, "language": "fra"}, {}],
)
def test_readings_of_other_settings_are_not_found(path, source, other):
    keep(path, source(), reading())
    assert find(path, source(), other) is None


def test_the_order_of_settings_makes_no_difference(path, source):
    keep(path, source(), reading())
    assert find(path, source(), dict(reversed(SYSTEM.items()))) == reading()


@pytest.mark.parametrize(
    "name", ["attempts", "concurrency", "max_failed", "runs", "timeout", "token_env", "without_server"]
)
def test_how_a_system_is_asked_makes_no_difference(path, source, name):
    keep(path, source(), reading(), {**SYSTEM, name: 1})
    assert find(path, source(), {**SYSTEM, name: 2}) == find(path, source()) == reading()


def test_each_run_has_readings_of_its_own(path, source):
    image = source()
    keep(path, image, reading(text="first"))
    second = Source(image.segment_id, image.media, run=2)
    assert find(path, second) is None
    keep(path, second, reading(text="second", run=2))
    assert (find(path, image).text, find(path, second).text) == ("first", "second")
    assert find(path, second).run == 2


def test_each_part_of_one_file_has_a_reading_of_its_own(path, source):
    upper, lower = (Source("a", source().media, area=((0, y), (9, y), (9, y + 5))) for y in (0, 5))
    first, last = (Source("a", source().media, span=(begin, 2.0)) for begin in (0.0, 1.0))
    with Journal(path, SYSTEM) as journal:
        assert len({journal.key(each) for each in (source(), upper, lower, first, last)}) == 5


@pytest.mark.parametrize("media", [None, "absent.png", "."])
def test_what_has_no_content_has_no_key(path, tmp_path, media):
    with Journal(path, SYSTEM) as journal:
        assert journal.key(Source("a", media and tmp_path / media)) is None


def test_a_later_reading_of_the_same_image_counts(path, source):
    keep(path, source(), reading(text="old"))
    keep(path, source(), reading(text="new"))
    assert find(path, source()).text == "new"


# Damage


@given(st.data())
def test_no_changed_byte_is_taken_for_a_reading(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("journal")
    (folder / "a.png").write_bytes(b"pixels")
    image, path = Source("a", folder / "a.png"), folder / "lines.jsonl"
    keep(path, image, reading())
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 2))
    content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    assert find(path, image) is None


@pytest.mark.parametrize(
    "line", [b"{}", b"", b"5", b"\x00\x00\xff\xfe", b"00000000 " + 64 * b"a" + b" {}", 5000 * b"a"]
)
def test_a_line_that_is_not_a_reading_is_named_and_costs_no_other_reading(path, source, caplog, line):
    first, last = source("a", b"1"), source("b", b"2")
    keep(path, first, reading("a"))
    with path.open("ab") as file:
        file.write(line + b"\n")
    keep(path, last, reading("b"))
    assert (find(path, first), find(path, last)) == (reading("a"), reading("b"))
    assert "lines.jsonl, line 2 does not have its checksum" in caplog.text


@pytest.mark.parametrize("cut", [1, 2, 20, 150])
def test_a_line_cut_short_is_said_and_costs_no_other_reading(path, source, cut, caplog):
    """One that lost only its newline is whole."""
    images = [source(name, name.encode()) for name in "abc"]
    for image in images[:2]:
        keep(path, image, reading(image.segment_id))
    path.write_bytes(path.read_bytes()[:-cut])
    found = [reading("a"), reading("b") if cut == 1 else None]
    assert [find(path, image) for image in images[:2]] == found
    said = "lines.jsonl, line 2 does not have its checksum (perhaps it was cut short)"
    assert (said in caplog.text) == (cut > 1)
    keep(path, images[2], reading("c"))
    assert [find(path, image) for image in images] == [*found, reading("c")]


def test_each_reading_is_one_line_of_checksum_key_and_json(path, source):
    for segment_id in "ab":
        keep(path, source(segment_id), reading(segment_id, "two\nlines"))
    lines = path.read_bytes().split(b"\n")[:-1]
    for line, segment_id in zip(lines, "ab", strict=True):
        checksum, key, entry = line.split(b" ", 2)
        assert int(checksum, 16) == zlib.crc32(key + b" " + entry)
        assert json.loads(entry)["segment_id"] == segment_id


# Files


def test_a_folder_in_its_place_is_named(path):
    path.mkdir(parents=True)
    with pytest.raises(OutputFileError, match=r"lines\.jsonl cannot be written: Is a directory"), Journal(path, SYSTEM):
        pass


def test_two_captures_of_one_system_at_a_time_are_refused(path):
    with (
        Journal(path, SYSTEM),
        pytest.raises(OutputFileError, match="another process is capturing the same system"),
        Journal(path, SYSTEM),
    ):
        pass


@pytest.mark.process
def test_a_real_full_disk_is_named_and_leaves_what_was_kept(path):
    code = f"""
import resource, signal
from pathlib import Path
from misread.data.segment_table import Source
from misread.engines import Journal
from misread.engines.base import Reading
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
with Journal(Path({str(path)!r}), {SYSTEM!r}) as journal:
    for number in range(100):
        journal.keep(journal.key(Source("a", question=str(number))), Reading("a", "one", None, 0.1, 1))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "lines.jsonl cannot be written: File too large" in done.stderr
    kept = path.stat().st_size // 250
    with Journal(path, SYSTEM) as journal:
        sources = [Source("a", question=str(number)) for number in range(100)]
        found = [journal.find(journal.key(each), each) for each in sources]
    assert 5 < len(list(filter(None, found))) <= kept + 20
    assert all(each == Reading("a", "one", None, 0.1, 1) for each in found if each)
    keep(path, sources[-1], reading())
    assert find(path, sources[-1]) == reading()
