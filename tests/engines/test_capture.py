import threading
from dataclasses import dataclass, field, replace

import pytest
from PIL import Image

from misread.engines import Journal, Recorded, Tesseract, Threads, UnreadableSourceError
from misread.engines.capture import make_capture, read_all, why_not_applicable
from misread.engines.images import load_image
from misread.records import Capture, Origin, Reading, SegmentKeys, SegmentTable, Source, TextPairs

SYSTEM = {"revision": 1}
ONE = Threads(1)


@dataclass
class Width:
    """An engine whose text is the width of the image; it remembers what it read, and fails where it is told to."""

    fails: dict[str, BaseException] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    reads: frozenset[str] = frozenset({"line_image"})
    revision: int = 1

    def versions(self):
        return {}

    def open(self):
        return self

    def read(self, source):
        self.done.append(source.segment_id)
        if source.segment_id in self.fails:
            raise self.fails[source.segment_id]
        return str(load_image(source).width)

    def close(self):
        pass


@pytest.fixture
def images(tmp_path):
    """Three images of widths 11, 12 and 13."""
    sources = [Source(name, tmp_path / f"{name}.png") for name in "abc"]
    for width, source in enumerate(sources, start=11):
        Image.new("L", (width, 5), 255).save(source.media)
    return sources


@pytest.fixture
def journal(tmp_path):
    """Open the journal again, as each run does."""
    return lambda settings=SYSTEM: Journal(tmp_path / "journal.jsonl", settings)


def texts(readings):
    return [reading.text for reading in readings]


# Reading


@pytest.mark.parametrize("workers", [1, 2])
def test_readings_are_in_the_order_of_the_sources(images, workers):
    assert texts(read_all(images[::-1], Width(), executor=Threads(workers))) == ["13", "12", "11"]


def test_a_reading_takes_time_and_memory(images):
    reading = read_all(images[:1], Width(), executor=ONE)[0]
    assert reading.latency_seconds > 0
    assert reading.peak_memory_bytes > 1_000_000


def test_nothing_to_read_gives_no_readings():
    assert read_all([], Width(), executor=ONE) == []


def test_each_reading_is_told_as_it_comes(images):
    told = []
    read_all(images, Width(), executor=ONE, on_reading=told.append)
    assert sorted(texts(told)) == ["11", "12", "13"]


def test_readings_found_in_the_journal_are_told_too(images, journal):
    read_all(images, Width(), executor=ONE, journal=journal())
    told = []
    read_all(images, Width(), executor=ONE, journal=journal(), on_reading=told.append)
    assert texts(told) == ["11", "12", "13"]


# Failures


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda path: path.unlink(), "there is no file"),
        (lambda path: path.write_bytes(b""), "the file is empty"),
        (lambda path: path.write_bytes(path.read_bytes()[:-30]), "is damaged or cut short"),
    ],
    ids=["missing", "empty", "cut short"],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_damaged_image_becomes_a_reason_and_the_others_are_read(images, damage, reason, workers):
    damage(images[1].media)
    readings = read_all(images, Width(), executor=Threads(workers))
    assert texts(readings) == ["11", None, "13"]
    assert reason in readings[1].reason
    assert str(images[1].media) in readings[1].reason


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (UnreadableSourceError("b.png is damaged"), "b.png is damaged"),
        (ValueError("no such thing"), "no such thing"),
        (RuntimeError(), "RuntimeError"),
        (MemoryError(), "MemoryError"),
        (RecursionError("too deep"), "too deep"),
        (SystemExit(3), "3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_whatever_an_engine_raises_becomes_a_reason_and_the_others_are_read(images, error, reason):
    readings = read_all(images, Width(fails={"b": error}), executor=Threads(2))
    assert [(reading.text, reading.reason) for reading in readings] == [("11", None), (None, reason), ("13", None)]


def test_a_segment_without_an_image_becomes_a_reason(images):
    readings = read_all([Source("none"), images[0]], Width(), executor=ONE)
    assert [reading.reason for reading in readings] == ["the data set names no image or audio for this segment", None]


def test_a_real_engine_reads_the_others_beside_a_png_cut_short(line_source):
    good, bad = line_source("forty two", name="good.png"), line_source("lost", name="bad.png")
    bad.media.write_bytes(bad.media.read_bytes()[:600])
    readings = read_all([bad, good], Tesseract(), executor=Threads(2))
    assert texts(readings) == [None, "forty two"]


# Journal


def test_a_second_capture_reads_nothing(images, journal):
    first = read_all(images, Width(), executor=ONE, journal=journal())
    engine = Width()
    assert read_all(images, engine, executor=ONE, journal=journal()) == first
    assert engine.done == []


def test_only_a_changed_image_is_read_again(images, journal):
    read_all(images, Width(), executor=ONE, journal=journal())
    Image.new("L", (99, 5), 255).save(images[1].media)
    engine = Width()
    assert texts(read_all(images, engine, executor=ONE, journal=journal())) == ["11", "99", "13"]
    assert engine.done == ["b"]


def test_a_reader_that_names_and_describes_the_same_images_in_another_way_costs_no_reading(images, journal):
    first = read_all(images, Width(), executor=ONE, journal=journal())
    engine = Width()
    renamed = [replace(source, segment_id=f"page-{source.segment_id}", recorded={"x": "y"}) for source in images[::-1]]
    again = read_all(renamed, engine, executor=ONE, journal=journal())
    assert (texts(again), engine.done) == (texts(first)[::-1], [])


def test_recorded_outputs_are_taken_from_the_data_set_whatever_the_journal_knows_of_their_images(images, journal):
    for text in ("old", "new"):
        recorded = [
            replace(source, media=images[0].media, recorded={"x": text + source.segment_id}) for source in images
        ]
        readings = read_all(recorded, Recorded("x"), executor=ONE, journal=journal())
        assert texts(readings) == [text + source.segment_id for source in images]


def test_other_settings_read_everything_again(images, journal):
    read_all(images, Width(), executor=ONE, journal=journal())
    engine = Width()
    read_all(images, engine, executor=ONE, journal=journal({"revision": 2}))
    assert sorted(engine.done) == ["a", "b", "c"]


def test_only_failures_are_tried_again(images, journal):
    read_all(images, Width(fails={"b": ValueError("out of luck")}), executor=ONE, journal=journal())
    engine = Width()
    assert texts(read_all(images, engine, executor=ONE, journal=journal())) == ["11", "12", "13"]
    assert engine.done == ["b"]


def test_a_replaced_file_is_all_that_is_read_after_a_failure(images, journal):
    whole = images[1].media.read_bytes()
    images[1].media.write_bytes(whole[:-30])
    read_all(images, Width(), executor=ONE, journal=journal())
    images[1].media.write_bytes(whole)
    engine = Width()
    assert texts(read_all(images, engine, executor=ONE, journal=journal())) == ["11", "12", "13"]
    assert engine.done == ["b"]


def test_a_capture_that_was_stopped_goes_on_where_it_stopped(images, journal):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_all(images[:1], Width(), executor=ONE, journal=journal(), on_reading=stop)
    engine = Width()
    read_all(images, engine, executor=ONE, journal=journal())
    assert sorted(engine.done) == ["b", "c"]


def test_a_capture_that_was_stopped_leaves_no_thread_behind(images):
    def stop(_):
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        read_all(images, Width(), executor=Threads(2), on_reading=stop)
    assert threading.active_count() == before


# Captures


def reading(segment_id, text, reason=None):
    return Reading(segment_id, text, reason, 0.1, 4096)


def test_readings_stand_beside_their_references():
    segments = SegmentTable(
        segment_id=["a", "b"], references=["one", "two"], cluster=["p1", "p2"], groups={"hand": ["x", "y"]}
    )
    readings = [reading("a", "onc"), reading("b", None, "b.png is damaged")]
    assert make_capture(Origin("d", "s"), segments, readings) == Capture(
        Origin("d", "s"),
        SegmentKeys(["a", "b"], ["p1", "p2"], {"hand": ["x", "y"]}),
        TextPairs(["one", "two"], ["onc", None]),
        [None, "b.png is damaged"],
    )


def test_segments_without_clusters_make_a_capture_without():
    segments = SegmentTable(segment_id=["a"], references=["one"])
    capture = make_capture(Origin("d", "s"), segments, [reading("a", "onc")])
    assert capture.segments == SegmentKeys(["a"], None, {})


def test_notes_on_references_and_outputs_are_put_together_once_each():
    noted = SegmentTable(notes=["x.", "y."], notes_on_hypotheses={"s": ["y."], "t": ["z."]})
    capture = make_capture(Origin("d", "s", notes=("w.",)), noted, [])
    assert capture.origin.notes == ("w.", "x.", "y.", "z.")


def test_no_segments_make_an_empty_capture():
    origin = Origin("d", "s", not_applicable="the system reads audio, the data set offers line_image")
    assert make_capture(origin, SegmentTable(), []) == Capture(origin, SegmentKeys([], None, {}), TextPairs([], []), [])


def test_an_engine_that_reads_what_the_data_set_offers_is_applicable():
    assert why_not_applicable(Width(), frozenset({"line_image", "recorded:pero"})) == ""


def test_an_engine_that_reads_nothing_of_it_says_both():
    assert (
        why_not_applicable(Recorded("pero"), frozenset({"recorded:kraken", "line_image"}))
        == "the system reads recorded:pero, the data set offers line_image, recorded:kraken"
    )
