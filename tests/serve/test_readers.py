"""Processes of a worker that crash, take too long, or cannot be opened."""

import asyncio
import errno
import logging
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.serve.stand_ins import Width

from misread.serve.limits import RefusedError, WorkerLimits
from misread.serve.readers import Readers

pytestmark = pytest.mark.slow


async def nobody_left():
    return False


def with_readers(scenario, engine=None, **limits):
    async def run():
        readers = Readers(engine or Width(), WorkerLimits(**limits))
        try:
            await readers.open()
            return await scenario(readers)
        finally:
            await asyncio.to_thread(readers.close)

    # In a thread of its own: where pages were opened in a browser before, a loop is running in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()


async def outcome(readers, content):
    try:
        reading = await readers.read(content, nobody_left)
    except RefusedError as error:
        return error.status, error.reason
    return reading.text, reading.confidence


def test_an_image_that_ends_its_process_fails_alone_and_the_log_says_why(png, caplog):
    async def scenario(readers):
        return [await outcome(readers, png(width)) for width in (20, 13, 17, 21)]

    failed = (422, "the engine could not read this image; the worker's log says why")
    with caplog.at_level(logging.ERROR):
        assert with_readers(scenario) == [("20", 0.5), failed, failed, ("21", 0.5)]
    reasons = [record.getMessage() for record in caplog.records]
    assert "reading it ended the process (status 3)" in reasons[0]
    assert re.search("no luck with .*misread-serve-", reasons[1])


def test_an_image_for_which_there_is_no_room_may_come_again_later(png, caplog, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def scenario(readers):
        with monkeypatch.context() as full:
            full.setattr(Path, "write_bytes", fail)
            refused = await outcome(readers, png(20))
        return refused, await outcome(readers, png(21))

    refused, read = with_readers(scenario)
    assert (refused, read) == ((503, "the worker has no room for an image now"), ("21", 0.5))
    assert caplog.messages == ["a temporary file cannot be written: No space left on device"]


def test_an_image_that_takes_too_long_is_stopped_and_the_next_one_read(png, caplog):
    async def scenario(readers):
        [reader] = readers._opened
        reader._timeout = 0.3
        stopped = await outcome(readers, png(60))
        reader._timeout = 60
        return stopped, await outcome(readers, png(20))

    stopped, read = with_readers(scenario)
    assert (stopped[0], read) == (422, ("20", 0.5))
    assert "took longer than 0.3 s" in caplog.text


def test_an_engine_that_cannot_be_opened_is_never_ready(tmp_path):
    async def scenario(readers):
        return readers.is_ready, str(readers.failure)

    missing = tmp_path / "model"
    assert with_readers(scenario, Width(missing)) == (False, f"there is no model {missing}.")


def test_an_engine_that_is_gone_after_a_crash_is_not_there_for_now(png, tmp_path):
    model = tmp_path / "model"
    model.touch()

    async def scenario(readers):
        found = [(await outcome(readers, png(13)))[0]]
        model.unlink()
        found.append(await outcome(readers, png(20)))
        model.touch()
        return [*found, await outcome(readers, png(20))]

    assert with_readers(scenario, Width(model)) == [422, (503, "the engine cannot be used now"), ("20", 0.5)]


def test_an_image_for_which_nobody_waits_is_not_read(png):
    async def gone():
        return True

    async def scenario(readers):
        with pytest.raises(RefusedError, match="nobody waits"):
            await readers.read(png(13), gone)

    with_readers(scenario)


def test_time_to_come_back_grows_with_the_queue_and_has_bounds():
    async def scenario(readers):
        found = []
        for readers.admitted in (0, 1, 10, 1000):
            found.append((readers.is_full, readers.seconds_to_wait))
        readers.admitted = 0
        return found

    assert with_readers(scenario, processes=2, waiting=8) == [(False, 1), (False, 1), (True, 5), (True, 60)]
