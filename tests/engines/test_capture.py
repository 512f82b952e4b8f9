import errno
import math
import multiprocessing
import os
import random
import tempfile
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from tests.engines.stand_ins import Local, Width

from misread.data.segment_table import Origin, SegmentKeys, SegmentTable, Source, TextFacts, Word
from misread.engines import (
    Answer,
    CaptureSettings,
    Journal,
    Processes,
    Readings,
    Recorded,
    Tesseract,
    UnreadableSourceError,
    describe_capture,
)
from misread.engines.capture import is_recorded, why_not_applicable
from misread.engines.reading import read_one
from misread.errors import (
    CaptureFailedError,
    ConfigurationError,
    MissingDependencyError,
    OutputFileError,
    UnknownNameError,
)
from misread.storage import write_capture

pytestmark = pytest.mark.slow

SYSTEM = {"revision": 1}


@pytest.fixture
def images(tmp_path):
    """Three images of widths 11, 12 and 13."""
    return make_images(tmp_path, "abc")


def make_images(folder, names, *, first=11):
    sources = [Source(name, folder / f"{name}.png") for name in names]
    for width, source in enumerate(sources, start=first):
        Image.new("L", (width, 5), 255).save(source.media)
    return sources


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


@pytest.fixture
def read(path):
    """Read with a journal, as each run does."""

    def run(sources, engine, *, workers=1, system=SYSTEM, on_reading=lambda _: None, retry_failed=False, **settings):
        journal = None if is_recorded(engine) else Journal(path, system)
        readings = Readings(sources, engine, Processes(workers), journal, CaptureSettings(**settings), retry_failed)
        if journal is None:
            readings.read(on_reading)
            return list(readings)
        with journal:
            readings.read(on_reading)
            return list(readings)

    return run


def texts(readings):
    return [reading.text for reading in readings]


# Reading


@pytest.mark.parametrize("concurrency", [1, 2])
def test_readings_are_in_the_order_of_the_sources(images, read, concurrency):
    assert texts(read(images[::-1], Width(concurrency=concurrency))) == ["13", "12", "11"]


def test_the_order_in_which_readings_end_makes_no_difference(images, read):
    slow_first = Width(
        concurrency=3, before=lambda source: time.sleep({"a": 0.06, "b": 0.03}.get(source.segment_id, 0))
    )
    told = []
    readings = read(images, slow_first, on_reading=told.append)
    assert (texts(told), texts(readings)) == (["13", "12", "11"], ["11", "12", "13"])


def test_nothing_to_read_gives_no_readings(read):
    assert read([], Width()) == []


def test_the_same_content_is_read_once_and_stands_for_both_segments(images, read):
    engine, told = Width(concurrency=2), []
    twice = [*images, Source("d", images[0].media)]
    readings = read(twice, engine, on_reading=told.append)
    assert [(reading.segment_id, reading.text) for reading in readings][-1] == ("d", "11")
    assert (sorted(engine.done), len(told)) == (["a", "b", "c"], 4)


# Failures


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
def test_whatever_an_engine_raises_becomes_a_reason_and_the_others_are_read(images, read, error, reason):
    readings = read(images, Width(fails={"b": error}, concurrency=2))
    assert [(reading.text, reading.reason) for reading in readings] == [("11", None), (None, reason), ("13", None)]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EMFILE])
def test_what_the_machine_lacks_is_no_failure_of_a_segment_and_the_next_capture_goes_on(images, read, number):
    full = OSError(number, os.strerror(number), "/tmp/misread-1/output.txt")  # noqa: S108  a name in a message
    said = rf"^segment 'b': /tmp/misread-1/output\.txt cannot be written: {os.strerror(number)}\. Make room, or set TMP"
    with pytest.raises(OutputFileError, match=said):
        read(images, Width(fails={"b": full}))
    engine = Width()
    assert texts(read(images, engine)) == ["11", "12", "13"]
    assert "b" in engine.done
    assert "a" not in engine.done


def test_a_broken_disk_of_temporary_files_is_no_failure_of_a_segment_and_one_of_the_source_is(images, read):
    broken = OSError(errno.EIO, os.strerror(errno.EIO), f"{tempfile.gettempdir()}/misread-1/output.txt")
    with pytest.raises(OutputFileError, match=r"output\.txt cannot be written: .*\. Set TMPDIR to a folder on another"):
        read(images, Width(fails={"b": broken}))
    source = OSError(errno.EIO, os.strerror(errno.EIO), "/media/line.png")
    assert read(images, Width(fails={"b": source}))[1].reason == str(source)


def test_an_interrupt_while_recorded_outputs_are_read_is_not_the_reason_of_a_segment(images):
    class Interrupted(Width):
        def read(self, source):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_one(Interrupted(), images[0], measure_memory=False)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda: None, "the engine gave NoneType in place of a text"),
        (lambda: Answer(5), "the engine gave int in place of a text"),
        (lambda: "a\ud800b", "the engine gave the text a\\ud800b, expected text without half of a surrogate pair"),
        (lambda: Answer("one", confidence=87), "the engine gave the confidence 87, expected a number from 0 to 1"),
        (
            lambda: Answer("one", confidence="high"),
            "the engine gave the confidence high, expected a number from 0 to 1",
        ),
        (
            lambda: Answer("one", confidence=math.nan),
            "the engine gave the confidence nan, expected a number from 0 to 1",
        ),
        (lambda: Answer("one", words=["one"]), "the engine gave the words ['one'], expected Words, each with a text"),
        (
            lambda: Answer("one", words=[Word("one", 1.5)]),
            "the engine gave the words [Word(text='one', confidence=1.5)]",
        ),
        (
            lambda: Answer("one", input_tokens=True),
            "the engine gave the input_tokens True, expected a whole number from",
        ),
        (lambda: Answer("one", seconds=math.inf), "the engine gave the seconds inf, expected a number of seconds"),
    ],
)
def test_an_answer_that_cannot_be_kept_becomes_a_reason(images, read, answer, reason):
    class Odd(Width):
        def read(self, source):
            return answer() if source.segment_id == "b" else super().read(source)

    readings = read(images, Odd())
    assert texts(readings) == ["11", None, "13"]
    assert readings[1].reason.startswith(reason)


def test_words_may_be_any_sequence_of_words(images, read):
    class Sure(Width):
        def read(self, source):
            return Answer("one", confidence=1, words=[Word("one", np.float32(0.5))])

    assert read(images[:1], Sure())[0].words == (Word("one", 0.5),)


def test_an_error_that_is_not_about_the_source_ends_the_capture_and_loses_nothing(images, read):
    with pytest.raises(MissingDependencyError):
        read(images, Width(fails={"c": MissingDependencyError("engine Width needs a ruler.")}))
    engine = Width()
    assert texts(read(images, engine)) == ["11", "12", "13"]
    assert engine.done == ["c"]


def test_a_segment_without_an_image_becomes_a_reason(images, read):
    readings = read([Source("none"), images[0]], Width())
    assert [reading.reason for reading in readings] == ["the data set names no image or audio for this segment", None]


@pytest.mark.engine
def test_a_real_engine_reads_the_others_beside_a_png_cut_short(line_source, read):
    good, bad = line_source("forty two", name="good.png"), line_source("lost", name="bad.png")
    bad.media.write_bytes(bad.media.read_bytes()[:600])
    assert texts(read([bad, good], Tesseract(), workers=2)) == [None, "forty two"]


@pytest.mark.parametrize(
    ("most", "fails"), [(None, "abc"), (3, "abc"), (1, "b"), (0, ""), (0, "a"), (1, "ab"), (2, "abc")]
)
def test_one_failure_more_than_may_be_ends_the_capture_and_names_the_first(images, read, most, fails):
    engine = Width(fails={name: ValueError(f"no {name}") for name in fails})
    if most is None or len(fails) <= most:
        assert len([each for each in read(images, engine, max_failed=most) if each.text is None]) == len(fails)
        return
    said = rf"^{most + 1} segments failed, .*max_failed of the system is {most}:"
    with pytest.raises(CaptureFailedError, match=said):
        read(images, engine, max_failed=most)
    with pytest.raises(CaptureFailedError, match=r"The first is segment 'a': no a\.$"):
        read(images, Width(), max_failed=most)


@pytest.mark.parametrize("concurrency", [1, 5])
def test_failures_are_named_in_the_order_of_the_segments_whatever_ends_first(tmp_path, path, concurrency):
    names = [f"{number:02}" for number in range(30)]
    sources = make_images(tmp_path, names)
    delays = random.Random(concurrency)  # noqa: S311
    engine = Width(
        fails={name: ValueError(f"no {name}") for name in names[::-1]},
        concurrency=concurrency,
        before=lambda _: time.sleep(delays.uniform(0, 0.005)),
    )
    with Journal(path, SYSTEM) as journal:
        readings = Readings(sources, engine, Processes(), journal)
        readings.read()
        assert (engine.done == names) == (concurrency == 1)
        assert [each.reason for each in readings.failures.first] == [f"no {name}" for name in names[:20]]
        assert readings.failures.number == 30


def test_a_capture_that_has_failed_asks_for_nothing_more(images, read):
    engine = Width(fails=dict.fromkeys("abc", ValueError("no")))
    with pytest.raises(CaptureFailedError):
        read([*images, *(replace(images[0], segment_id=name) for name in "defghijkl")], engine, max_failed=0)
    assert len(engine.done) <= 3
    again = Width()
    with pytest.raises(CaptureFailedError):
        read(images, again, max_failed=0)
    assert again.done == []


@pytest.mark.parametrize(("name", "value"), [("runs", 0), ("max_failed", -1), ("without_server", "leave")])
def test_a_setting_that_cannot_be_is_refused(name, value):
    with pytest.raises((ConfigurationError, UnknownNameError), match=name):
        CaptureSettings(**{name: value})


# Journal


CUT = {"b": UnreadableSourceError("not JSON", raw="<html>", attempts=4)}


@pytest.mark.parametrize(
    ("fails", "replaces", "settings", "after", "asked"),
    [
        ({}, False, {}, ["11", "12", "13"], ""),
        ({}, True, {}, ["11", "99", "13"], "b"),
        ({}, False, {"system": {"revision": 2}}, ["11", "12", "13"], "abc"),
        ({}, False, {"runs": 2}, ["11", "12", "13"] * 2, "abc"),
        (CUT, False, {}, ["11", None, "13"], ""),
        (CUT, True, {}, ["11", "99", "13"], "b"),
        (CUT, False, {"retry_failed": True}, ["11", "12", "13"], "b"),
    ],
)
def test_a_second_capture_reads_only_what_changed(images, read, fails, replaces, settings, after, asked):
    first = read(images, Width(fails=fails))
    if replaces:
        Image.new("L", (99, 5), 255).save(images[1].media)
    engine, told = Width(), []
    second = read(images, engine, on_reading=told.append, **settings)
    assert (texts(second), len(told), sorted(engine.done)) == (after, len(after), list(asked))
    assert asked or second == first
    assert not fails or (first[1].reason, first[1].raw, first[1].attempts) == ("not JSON", "<html>", 4)


def test_a_reader_that_names_and_describes_the_same_images_in_another_way_costs_no_reading(images, read):
    first = read(images, Width())
    engine = Width()
    renamed = [replace(source, segment_id=f"page-{source.segment_id}", recorded={"x": "y"}) for source in images[::-1]]
    assert (texts(read(renamed, engine)), engine.done) == (texts(first)[::-1], [])


def test_recorded_outputs_are_taken_from_the_data_set_and_no_journal(images, read, path):
    for text in ("old", "new"):
        recorded = [replace(source, recorded={"x": text + source.segment_id}) for source in images]
        assert texts(read(recorded, Recorded("x"))) == [text + source.segment_id for source in images]
    assert not path.exists()


def test_recorded_outputs_of_parts_of_a_page_need_no_page(tmp_path, read):
    sources = [Source("a", tmp_path / "gone.png", {"x": "one"}, area=((0, 0), (9, 0), (9, 9)))]
    assert texts(read(sources, Recorded("x"))) == ["one"]


def test_the_answers_before_are_told_apart_where_that_is_wanted(images, path):
    def capture(sources):
        made, found = [], []
        with Journal(path, SYSTEM) as journal:
            Readings(sources, Width(), Processes(1), journal).read(made.append, found.append)
        return texts(made), texts(found)

    assert capture(images[:2]) == (["11", "12"], [])
    assert capture(images) == (["13"], ["11", "12"])


def test_what_would_be_read_is_told_without_reading_it(images, path):
    engine, found = Width(), []
    with Journal(path, SYSTEM) as journal:
        Readings(images[:1], engine, Processes(1), journal).read()
        twice = [*images, Source("d", images[1].media)]
        unread = Readings(twice, engine, Processes(1), journal).unread(found.append)
    assert ([source.segment_id for source in unread], texts(found), engine.done) == (["b", "c"], ["11"], ["a"])


@pytest.mark.parametrize("size", [None, -30])
def test_a_file_that_was_not_there_or_cut_short_is_all_that_is_read_again(images, read, size):
    whole = images[1].media.read_bytes()
    images[1].media.unlink()
    if size:
        images[1].media.write_bytes(whole[:size])
    assert texts(read(images, Width())) == ["11", None, "13"]
    images[1].media.write_bytes(whole)
    engine = Width()
    assert (texts(read(images, engine)), engine.done) == (["11", "12", "13"], ["b"])


def test_a_capture_that_was_interrupted_goes_on_where_it_stopped_and_leaves_no_thread(images, read):
    def stop(_):
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        read(images, Width(concurrency=2), on_reading=stop)
    assert threading.active_count() == before
    engine = Width()
    assert texts(read(images, engine)) == ["11", "12", "13"]
    assert len(engine.done) < 3


# Runs


def test_every_segment_is_read_in_every_run_and_nothing_is_served_twice(images, read):
    engine = Width()
    readings = read(images, engine, runs=3)
    assert [(reading.run, reading.segment_id) for reading in readings] == [
        (run, each) for run in (1, 2, 3) for each in "abc"
    ]
    assert sorted(engine.done) == sorted("abc" * 3)


def test_a_segment_may_fail_in_one_run_alone(images, read):
    class Moody(Width):
        def read(self, source):
            if (source.run, source.segment_id) == (2, "b"):
                raise ValueError("not now")
            return f"{super().read(source)} in run {source.run}"

    readings = read(images, Moody(), runs=2)
    assert texts(readings)[3:] == ["11 in run 2", None, "13 in run 2"]
    assert texts(readings)[1] == "12 in run 1"


class Cached(Width):
    """A server that knows its answers by ids; some of them come from its cache."""

    def __init__(self, name):
        super().__init__()
        self.name = name

    def read(self, source):
        return Answer(super().read(source), request=self.name(source))


def test_runs_that_a_cache_answered_are_refused(images, read):
    with pytest.raises(CaptureFailedError, match=r"runs 1 and 2 of segment 'b' are one answer of the server, 'b-0'"):
        read(images, Cached(lambda of: f"{of.segment_id}-{0 if of.segment_id == 'b' else of.run}"), runs=2)


def test_an_id_that_a_server_gives_to_all_says_nothing_of_a_cache(images, read):
    assert len(read(images, Cached(lambda _: "chatcmpl-0"), runs=2)) == 6


def test_answers_in_the_journal_are_known_by_their_requests(images, read):
    read(images, Cached(lambda of: of.segment_id), runs=1)
    with pytest.raises(CaptureFailedError, match="runs 1 and 2 of segment 'a' are one answer"):
        read(images, Cached(lambda of: of.segment_id), runs=2)


# Killed processes


class Paid(Width):
    """Takes some milliseconds, writes down what it is asked, and fails for every seventh segment."""

    def __init__(self, log):
        super().__init__(concurrency=3)
        self.log = log

    def read(self, source):
        with self.log.open("a") as file:
            file.write(f"{source.segment_id}\n")
        time.sleep(0.002)
        if int(source.segment_id) % 7 == 0:
            raise UnreadableSourceError(f"no answer for {source.segment_id}", raw="...", attempts=3)
        return Answer(super().read(source), raw=f"<p>{source.segment_id}</p>")


def capture_to(target, sources, log, journal):
    with Journal(journal, SYSTEM) as opened:
        readings = Readings(sources, Paid(log), Processes(), opened)
        readings.read()
        keys = SegmentKeys([source.segment_id for source in sources], None, {})
        write_capture(target, Origin("d", "s"), keys, [""] * len(sources), readings)


def test_killed_at_any_moment_it_goes_on_and_ends_as_if_undisturbed(tmp_path):
    sources = make_images(tmp_path, [str(number) for number in range(1, 61)])
    capture_to(tmp_path / "whole.parquet", sources, tmp_path / "log", tmp_path / "whole.jsonl")
    whole = (tmp_path / "whole.parquet").read_bytes()
    moment, kills, rounds = random.Random(1), 0, 0  # noqa: S311
    while kills < 8:
        rounds += 1
        target, journal = tmp_path / f"{rounds}.parquet", tmp_path / f"{rounds}.jsonl"
        while not target.exists():
            kept = journal.read_bytes() if journal.exists() else b""
            answered = {
                source.segment_id for source in sources if f'"segment_id":"{source.segment_id}"'.encode() in kept
            }
            (tmp_path / "log").write_text("")
            # Forked: a hundred new interpreters would take a minute.
            process = multiprocessing.get_context("fork").Process(
                target=capture_to, args=(target, sources, tmp_path / "log", journal)
            )
            process.start()
            # Longer each time: on a busy machine it would never come to its first reading.
            process.join(moment.uniform(0.005, 0.05) * 1.1**kills)
            if process.is_alive():
                process.kill()
                kills += 1
            process.join()
            asked = (tmp_path / "log").read_text().split()
            # A line cut short is the reading that was being written down.
            assert len(answered.intersection(asked)) <= (not kept.endswith(b"\n") and kept != b"")
            assert len(asked) == len(set(asked))
        assert target.read_bytes() == whole


def test_processes_that_read_do_not_outlive_the_capture(tmp_path):
    engine = Local(tmp_path / "log", seconds=30)
    sources = make_images(tmp_path, ["a", "b"])

    def run():
        with Journal(tmp_path / "journal.jsonl", SYSTEM) as journal:
            Readings(sources, engine, Processes(2), journal).read()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    while not (tmp_path / "log").exists() or (tmp_path / "log").read_text().count("\n") < 4:
        time.sleep(0.02)
    process.kill()
    process.join()
    children = {int(line.split()[0]) for line in (tmp_path / "log").read_text().splitlines()}
    ended = time.monotonic() + 20
    while any(is_running(child) for child in children) and time.monotonic() < ended:
        time.sleep(0.02)
    assert not [child for child in children if is_running(child)]


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


# Captures


def test_notes_on_references_and_outputs_are_put_together_once_each():
    noted = SegmentTable(
        facts=TextFacts(notes=["x.", "y."], alternatives="both"), notes_on_hypotheses={"s": ["y."], "t": ["z."]}
    )
    described = describe_capture(Origin("d", "s", facts=TextFacts(notes=("w.",))), noted)
    assert (described.facts.notes, described.facts.alternatives) == (("w.", "x.", "y.", "z."), "both")


def test_an_engine_that_reads_nothing_of_what_the_data_set_offers_says_both():
    assert why_not_applicable(Width(), frozenset({"line_image", "recorded:pero"})) == ""
    assert (
        why_not_applicable(Recorded("pero"), frozenset({"recorded:kraken", "line_image"}))
        == "the system reads recorded:pero, the data set offers line_image, recorded:kraken"
    )
