import threading
import time
from dataclasses import dataclass, field

import pytest

from misread.engines.executor import Threads
from misread.errors import ConfigurationError, MissingDependencyError
from misread.records import Reading, Source

SOURCES = [Source(str(number)) for number in range(20)]


@dataclass
class Echo:
    """An engine that gives back the segment id and remembers who opened, read and closed."""

    reads: frozenset[str] = frozenset({"line_image"})
    revision: int = 1
    opened: list[int] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    meet: threading.Barrier | None = None

    def versions(self):
        return {}

    def open(self):
        self.opened.append(threading.get_ident())
        return EchoReader(self, threading.get_ident())


@dataclass
class EchoReader:
    engine: Echo
    thread: int

    def read(self, source):
        assert self.thread == threading.get_ident(), "a reader is used by the thread that opened it"
        if self.engine.meet:
            self.engine.meet.wait(timeout=10)
        return source.segment_id

    def close(self):
        self.engine.closed.append(self.thread)


class NotInstalled(Echo):
    def open(self):
        raise MissingDependencyError("engine Echo needs echo: pip install echo.")


def read(reader, source):
    return Reading(source.segment_id, reader.read(source), None, 0.0, 0)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_source_is_read_once(workers):
    readings = list(Threads(workers).run(Echo(), SOURCES, read))
    assert sorted(reading.segment_id for reading in readings) == sorted(source.segment_id for source in SOURCES)


def test_two_workers_read_at_the_same_time():
    engine = Echo(meet=threading.Barrier(2))
    assert len(list(Threads(2).run(engine, SOURCES, read))) == len(SOURCES)


def test_one_worker_opens_one_reader():
    engine = Echo()
    list(Threads(1).run(engine, SOURCES, read))
    assert len(engine.opened) == 1


def test_each_thread_opens_a_reader_of_its_own():
    engine = Echo(meet=threading.Barrier(2))
    list(Threads(2).run(engine, SOURCES, read))
    assert len(set(engine.opened)) == len(engine.opened) == 2


def test_all_readers_are_closed_at_the_end():
    engine = Echo(meet=threading.Barrier(2))
    list(Threads(2).run(engine, SOURCES, read))
    assert sorted(engine.closed) == sorted(engine.opened)


def test_readers_are_closed_when_the_run_is_given_up():
    engine = Echo()
    run = Threads(2).run(engine, SOURCES, read)
    next(run)
    run.close()
    assert sorted(engine.closed) == sorted(engine.opened)


def test_a_run_that_is_given_up_reads_no_more():
    done = []

    def read_slowly(reader, source):
        time.sleep(0.01)
        done.append(source)
        return read(reader, source)

    run = Threads(2).run(Echo(), SOURCES, read_slowly)
    next(run)
    run.close()
    assert len(done) < len(SOURCES)


def test_nothing_to_read_opens_nothing():
    engine = Echo()
    assert list(Threads(2).run(engine, [], read)) == []
    assert engine.opened == []


def test_an_engine_that_cannot_be_opened_says_why():
    with pytest.raises(MissingDependencyError, match="pip install echo"):
        list(Threads(2).run(NotInstalled(), SOURCES, read))


@pytest.mark.parametrize("workers", [0, -1])
def test_fewer_than_one_worker_is_refused(workers):
    with pytest.raises(ConfigurationError, match=rf"executor\.workers is {workers}, expected 1 or more"):
        Threads(workers)
