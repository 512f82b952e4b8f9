"""Captures by workers of a scheduler: the readings are those of processes here, and the journal is written here."""

from importlib.util import find_spec

import pytest
from tests.engines.stand_ins import Local as LocalEngine
from tests.engines.stand_ins import Width

from misread.data.segment_table import Source
from misread.engines import CaptureSettings, Journal, Processes, Readings, readers_for
from misread.engines.source_readers import WorkerReadings
from misread.errors import MissingDependencyError
from misread.execution import Dask, Local

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(find_spec("distributed") is None, reason="misread[dask] is not installed"),
]


@pytest.fixture(scope="module")
def two_workers():
    with Dask(workers=2, timeout=8.0) as executor:
        yield executor


@pytest.fixture
def engine(tmp_path):
    return LocalEngine(tmp_path / "log")


@pytest.fixture
def deeds(tmp_path):
    return lambda: [line.split(" ", 1) for line in (tmp_path / "log").read_text().splitlines()]


def test_every_source_is_read_once_in_two_processes_beside_the_workers(two_workers, engine, deeds):
    engine.seconds = 0.05
    readings = list(WorkerReadings(two_workers).run(engine, [Source(str(number)) for number in range(12)]))
    assert [reading.text for reading in readings] == [str(number) for number in range(12)]
    assert len({process for process, deed in deeds() if deed == "open"}) == 2


def test_whatever_goes_wrong_becomes_a_reason_and_costs_no_other_segment(two_workers, engine):
    kept = []
    sources = [Source(name) for name in ("first", "crash", "raise", "last")]
    readings = list(WorkerReadings(two_workers).run(engine, sources, kept.append))
    assert [reading.reason for reading in readings] == [
        None,
        "reading it ended the process (SIGSEGV)",
        "out of luck",
        None,
    ]
    assert {reading.segment_id for reading in kept} == {"first", "crash", "raise", "last"}


def test_an_error_that_every_segment_would_have_ends_the_capture_as_it_was(two_workers, engine):
    with pytest.raises(MissingDependencyError, match=r"engine Local needs luck\."):
        list(WorkerReadings(two_workers).run(engine, [Source("fatal")]))


def test_what_workers_have_read_is_in_the_journal_here_and_is_not_read_again(two_workers, tmp_path, engine, deeds):
    images = [tmp_path / f"{name}.png" for name in "abc"]
    for image in images:
        image.write_text(image.stem)
    sources = [Source(image.stem, image) for image in images]
    texts = []
    for _ in range(2):
        with Journal(tmp_path / "journal.jsonl", {}) as journal:
            readings = Readings(sources, engine, WorkerReadings(two_workers), journal, CaptureSettings())
            readings.read()
            texts.append([reading.text for reading in readings])
    assert texts == [["a", "b", "c"]] * 2
    assert sorted(deed for _, deed in deeds() if deed != "open") == ["a", "b", "c"]


def test_an_engine_that_waits_for_a_server_is_asked_from_here():
    assert isinstance(readers_for(Width(concurrency=2), Dask()), Processes)


def test_processes_here_have_the_settings_of_the_executor(engine):
    assert readers_for(engine, Local(3, 5.0)) == Processes(3, 5.0)
    assert readers_for(engine, Dask(3)) == WorkerReadings(Dask(3))
