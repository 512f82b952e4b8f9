import importlib
import tempfile
import threading
import time
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.stand_ins import Local, Together, Unopened, Width

from misread.data.segment_table import Source
from misread.engines import child
from misread.engines.child import ChildReader
from misread.engines.reading import OpenedReader
from misread.engines.source_readers import Processes
from misread.errors import MisreadError, MissingDependencyError, ServerError
from misread.provenance import plugins

pytestmark = pytest.mark.slow

SOURCES = [Source(str(number)) for number in range(20)]


def run(engine, names, *, workers=1, timeout=None):
    sources = [Source(name) for name in names]
    readings = {reading.segment_id: reading for reading in Processes(workers, timeout).run(engine, sources)}
    return [readings[name] for name in names]


@pytest.fixture
def local(tmp_path):
    return Local(tmp_path / "log")


@pytest.fixture
def noted(tmp_path):
    """What the processes of a local engine did: pairs of process and deed."""
    return lambda: [tuple(line.split(" ", 1)) for line in (tmp_path / "log").read_text().splitlines()]


class Echo(Width):
    def read(self, source):
        self.before(source)
        return source.segment_id


# Processes of their own


@pytest.mark.parametrize("workers", [1, 2])
def test_every_source_is_read_once(local, noted, workers):
    readings = list(Processes(workers).run(local, SOURCES))
    assert sorted(reading.text for reading in readings) == sorted(source.segment_id for source in SOURCES)
    assert len([deed for _, deed in noted() if deed.isdigit()]) == len(SOURCES)


def test_each_worker_opens_the_engine_once_in_a_process_of_its_own_and_closes_it(local, noted):
    local.seconds = 0.05
    run(local, "abcdef", workers=2)
    assert len({process for process, _ in noted()}) == 2
    assert [deed for _, deed in noted()].count("open") == [deed for _, deed in noted()].count("close") == 2


@pytest.fixture(scope="module")
def readings(tmp_path_factory):
    """Readings of one worker by segment, of which one broke it."""
    names = ["first", "large", "after", "raise", "number", "sure", "crash", "between", "exit", "last"]
    read = run(Local(tmp_path_factory.mktemp("local") / "log", seconds=0.05), names)
    return dict(zip(names, read, strict=True))


REASONS = {
    "crash": "reading it ended the process (SIGSEGV)",
    "exit": "reading it ended the process (status 3)",
    "raise": "out of luck",
    "number": "the engine gave int in place of a text",
}


def test_whatever_goes_wrong_becomes_a_reason_and_the_others_are_read(readings):
    sure = readings["sure"]
    assert (sure.text, sure.raw, sure.confidence, sure.attempts) == ("yes", "<b>yes</b>", 0.75, 1)
    assert {name: reading.reason for name, reading in readings.items() if reading.text is None} == REASONS
    for name in ("first", "after", "between", "last"):
        assert (readings[name].text, readings[name].reason) == (name, None)


def test_the_time_is_that_of_the_segment_and_the_first_reading_of_an_opened_engine_a_warm_up(readings):
    assert 0.05 <= readings["first"].latency_seconds < 1
    # Both that broke the process left the next one to open the engine again.
    warm_ups = [name for name, reading in readings.items() if reading.warm_up]
    assert warm_ups == ["first", "between", "last"]
    assert warm_ups == [name for name, reading in readings.items() if reading.start_up_seconds is not None]
    assert all(0 < readings[name].start_up_seconds < 5 for name in warm_ups)


def test_the_memory_is_that_of_the_process_during_the_segment(readings):
    large = readings["large"].peak_memory_bytes
    assert large > readings["first"].peak_memory_bytes + 40_000_000
    assert large > readings["after"].peak_memory_bytes + 30_000_000


def test_a_reading_that_takes_too_long_is_stopped_and_the_others_are_read(local):
    start = time.perf_counter()
    first, hang, last = run(local, ["a", "hang", "b"], timeout=1.5)
    assert (first.text, last.text) == ("a", "b")
    assert hang.reason == "reading it took longer than 1.5 s and was stopped"
    assert time.perf_counter() - start < 20


def test_an_error_that_every_segment_would_have_ends_the_run(local):
    with pytest.raises(MissingDependencyError, match="needs luck"):
        run(local, ["a", "fatal", "b"])


def test_an_engine_of_a_study_is_found_by_its_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(plugins._finder, "folders", {})
    (tmp_path / "own_ocr.py").write_text(
        "class Own:\n"
        "    reads, revision = frozenset({'line_image'}), 1\n"
        "    def versions(self): return {}\n"
        "    def open(self): return self\n"
        "    def read(self, source): return 'own ' + source.segment_id\n"
        "    def close(self): pass\n"
    )
    plugins.use_study_modules(["own_ocr"], tmp_path)
    [reading] = run(importlib.import_module("own_ocr").Own(), "a")
    assert reading.text == "own a"


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({}, MissingDependencyError, "needs a key"),
        ({"error": KeyError}, MisreadError, r"the engine cannot be opened: KeyError: .*needs a key"),
    ],
)
def test_an_engine_that_cannot_be_opened_says_why(tmp_path, settings, error, said):
    with pytest.raises(error, match=said):
        run(Unopened(tmp_path / "log", **settings), "ab")


def test_a_run_that_is_given_up_stops_its_processes_at_once(local):
    before = threading.active_count()
    start = time.perf_counter()
    readings = Processes(2).run(local, [Source("a"), *(Source(f"hang-{number}") for number in range(9))])
    next(readings)
    readings.close()
    assert threading.active_count() == before
    assert time.perf_counter() - start < 20


def test_a_process_that_is_started_while_the_run_is_given_up_is_ended(local, monkeypatch):
    reader = ChildReader(local, None)
    reader._process.kill()
    reader._process.join()
    closing = threading.Thread(target=reader.close)

    def give_up_first(method):
        # The thread that starts has just looked whether the run is given up.
        closing.start()
        closing.join(0.2)
        return get_context(method)

    monkeypatch.setattr(child, "get_context", give_up_first)
    (reading,) = reader.read([Source("hang-1")])
    closing.join()
    assert reading.reason.startswith("reading it ended the process")
    assert not reader._process.is_alive()


def test_nothing_to_read_opens_nothing(local, tmp_path):
    assert list(Processes(2).run(local, [])) == []
    assert not (tmp_path / "log").exists()


# Batches


@pytest.fixture
def together(tmp_path):
    return Together(tmp_path / "log")


def test_an_engine_with_batches_reads_several_segments_at_once(together, noted):
    readings = run(together, "abcdefghij")
    assert [reading.text for reading in readings] == list("abcdefghij")
    assert [deed for _, deed in noted() if deed.startswith("batch")] == ["batch of 4", "batch of 4", "batch of 2"]
    assert {reading.batch_size for reading in readings} == {4}
    assert [reading.warm_up for reading in readings] == [True] * 4 + [False] * 6
    assert [reading.start_up_seconds is not None for reading in readings] == [True] + [False] * 9
    assert len({reading.latency_seconds for reading in readings[:4]}) == 1


def test_a_batch_of_one_is_a_segment_by_itself(together, noted):
    together.batch = 1
    assert {reading.batch_size for reading in run(together, "abc")} == {1}
    assert [deed for _, deed in noted() if deed.startswith("batch")] == ["batch of 1"] * 3


@pytest.mark.parametrize("names", [[*"abcd", "raise", *"efghi"], [*"ab", "exit"], ["hang", "a"]])
def test_what_ends_a_batch_fails_one_segment_and_the_others_are_read(together, names):
    together.batch = 8
    readings = run(together, names, timeout=2)
    assert [reading.text or reading.segment_id for reading in readings] == names
    assert [reading.segment_id for reading in readings if reading.reason] == [name for name in names if len(name) > 1]


def test_where_memory_ends_batches_are_halved_and_stay_so(together, noted):
    together.batch, together.room = 8, 3
    readings = run(together, [str(number) for number in range(16)])
    assert [reading.text for reading in readings] == [str(number) for number in range(16)]
    batches = [int(deed.split()[-1]) for _, deed in noted() if deed.startswith("batch")]
    assert batches == [8, 4, *[2] * 8]
    assert {reading.batch_size for reading in readings} == {2}


@given(
    st.lists(st.sampled_from(["a", "b", "bad-1", "raise-1", "number-1", "sure-1"]), min_size=1, max_size=12),
    st.integers(1, 9),
    st.integers(1, 9),
)
def test_batches_give_every_segment_what_it_has_alone(names, batch, room):
    sources = [Source(f"{name}-{number}") for number, name in enumerate(names)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        readings = OpenedReader(Together(log, batch=batch, room=room)).read(sources, measure_memory=False)
        alone = [OpenedReader(Local(log)).read([source], measure_memory=False)[0] for source in sources]
    for reading, single in zip(readings, alone, strict=True):
        if reading.segment_id.startswith("bad"):
            assert (reading.text, reading.reason) == (None, "no image")
        else:
            assert (reading.text, reading.reason, reading.raw) == (single.text, single.reason, single.raw)
        assert 1 <= reading.batch_size <= batch


# Threads of this process, for remote engines


@pytest.mark.parametrize("concurrency", [1, 2, 5])
def test_a_remote_engine_is_asked_by_as_many_threads_as_it_takes(concurrency):
    meet = threading.Barrier(concurrency)
    engine = Echo(concurrency=concurrency, before=lambda _: meet.wait(timeout=10))
    assert len(list(Processes(1).run(engine, SOURCES))) == len(SOURCES)


def test_all_threads_share_one_reader_which_is_closed_at_the_end():
    calls = []

    class Counted(Echo):
        def open(self):
            calls.append("open")
            return self

        def close(self):
            calls.append("close")

    list(Processes().run(Counted(concurrency=4), SOURCES))
    assert calls == ["open", "close"]


def test_the_first_reading_of_each_connection_is_a_warm_up_and_one_has_the_time_of_opening():
    meet = threading.Barrier(2)
    readings = list(Processes().run(Echo(concurrency=2, before=lambda _: meet.wait(timeout=10)), SOURCES))
    assert [len([each for each in readings if test(each)]) for test in (lambda each: each.warm_up, is_opening)] == [
        2,
        1,
    ]


def is_opening(reading):
    return reading.start_up_seconds is not None


def test_a_run_of_a_remote_engine_that_is_given_up_asks_no_more():
    engine = Width(concurrency=2, before=lambda _: time.sleep(0.01))
    readings = Processes().run(engine, SOURCES)
    next(readings)
    readings.close()
    assert len(engine.done) < len(SOURCES)


@pytest.mark.parametrize(("is_ended", "names"), [(True, ["a"]), (False, ["a", "b"])])
def test_a_program_that_was_ended_together_with_the_run_is_no_failure_of_its_segment(is_ended, names):
    def end(source):
        if source.segment_id == "b":
            raise RuntimeError("ocr ended with signal SIGTERM")

    kept = []
    readings = Processes().run(Echo(before=end, concurrency=1), map(Source, "ab"), kept.append)
    next(readings)
    if is_ended:
        time.sleep(0.2)
        readings.close()
    else:
        next(readings)
    assert [reading.segment_id for reading in kept] == names


def test_an_error_of_a_server_names_the_segment_and_stays_of_its_class():
    class GoneError(ServerError):
        pass

    def ask(source):
        raise GoneError("nobody is there")

    with pytest.raises(GoneError, match=r"^segment 'a': nobody is there$"):
        list(Processes().run(Echo(before=ask), [Source("a")]))


def test_few_sources_are_taken_ahead_of_their_turn():
    taken = []
    readings = Processes().run(Echo(concurrency=2), (taken.append(source) or source for source in SOURCES))
    next(readings)
    assert len(taken) <= 8
    readings.close()


def test_the_memory_of_a_remote_engine_is_not_known():
    [reading] = Processes().run(Echo(), [Source("a")])
    assert reading.peak_memory_bytes is None
