"""Workers of a Dask scheduler: in processes of their own, killed, of another version, without memory, or not there."""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.execution.tasks import setting_of, square, square_slowly, take_memory

from misread.errors import ConfigurationError, MissingDependencyError, WorkerError
from misread.execution import Dask
from misread.execution.dask import run_task
from misread.version import __version__

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(find_spec("distributed") is None, reason="misread[dask] is not installed"),
]


@pytest.fixture(scope="module")
def two_workers():
    """Two processes, which all tests of this module share."""
    with Dask(workers=2) as executor:
        yield executor


def test_tasks_are_spread_over_processes(two_workers):
    processes = {process for _, process in two_workers.map(square_slowly, range(10))}
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_workers_that_are_started_here_keep_memory_for_the_next_array_and_have_one_thread(two_workers):
    variables = ["MALLOC_TRIM_THRESHOLD_", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"]
    assert list(two_workers.map(setting_of, variables)) == [None, "1", "1"]


def descendants(process):
    """A process and all that it started."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    children = (child for task in tasks for child in (task / "children").read_text().split())
    return [process, *(each for child in children for each in descendants(int(child)))]


def listened_at(processes):
    """Addresses at which processes listen, as the kernel writes them."""
    sockets = set()
    for process in processes:
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(FileNotFoundError):
                sockets.add(str(file.readlink()))
    lines = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()]
    return {fields[1].partition(":")[0] for fields in lines if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who listens")
def test_workers_that_are_started_here_listen_on_this_machine_alone(two_workers):
    assert list(two_workers.map(square, [2]))
    of_started = descendants(os.getpid())[1:]
    assert len(of_started) >= 2
    assert listened_at(of_started) == {"0100007F"}


def test_a_worker_that_is_killed_changes_nothing(two_workers):
    killed = []

    def kill_once(result):
        if not killed:
            killed.append(result[1])
            os.kill(result[1], signal.SIGKILL)

    results = list(two_workers.map(square_slowly, range(40), on_result=kill_once))
    assert [square for square, _ in results] == [n * n for n in range(40)]
    assert {process for _, process in results} - {*killed}


def test_a_worker_in_another_folder_is_named_with_both(two_workers, tmp_path, monkeypatch):
    here = Path.cwd()
    list(two_workers.map(square, [1]))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WorkerError, match=rf"a worker runs misread \S+ in {here}, expected \S+ in {tmp_path}: start"):
        list(two_workers.map(square, [1]))


def test_a_worker_of_another_version_is_named_with_both():
    with pytest.raises(WorkerError, match=rf"runs misread {re.escape(__version__)} in .*, expected 9\.9 in "):
        run_task(("9.9", str(Path.cwd())), {}, pickle.dumps((square, 1)))


@pytest.mark.slow
def test_workers_that_run_out_of_memory_are_one_line_with_the_setting():
    import dask

    # One death is enough to see; Dask allows for three.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        dask.config.set({"distributed.worker.memory.terminate": 0.02}),
        Dask(workers=1) as executor,
        pytest.raises(WorkerError, match=r"^1 workers? died of the same task: .* memory\. Give the workers more"),
    ):
        list(executor.map(take_memory, [1]))


@pytest.mark.slow
def test_a_scheduler_that_dies_in_the_middle_is_one_line(tmp_path, repository):
    file = tmp_path / "scheduler.json"
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(repository), os.environ.get("PYTHONPATH", "")])}
    place = ("--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0")
    commands = [("scheduler", *place), ("worker", "--nthreads", "1", "--no-dashboard", "--death-timeout", "30")]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{name}", *options, "--scheduler-file", str(file)],
            env=variables,
            stderr=subprocess.DEVNULL,
        )
        for name, *options in commands
    ]
    scheduler = started[0]
    try:
        while not file.is_file() and scheduler.poll() is None:
            time.sleep(0.1)
        with (
            Dask(scheduler=str(file), patience=30.0) as executor,
            pytest.raises(WorkerError, match=r"scheduler at .*json was lost; start it again \(setting executor\."),
        ):
            list(executor.map(square_slowly, range(200), on_result=lambda _: scheduler.kill()))
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_tasks_that_came_after_the_client_gave_up_are_not_waited_for(two_workers, monkeypatch):
    """That the scheduler dies just then is a matter of chance."""
    waiting = Future()
    pool = SimpleNamespace(submit=lambda *_: waiting)
    client = SimpleNamespace(status="connecting", get_executor=lambda pure: pool, nthreads=lambda: {"a": 1})
    monkeypatch.setattr(two_workers, "_opened", client)
    monkeypatch.setattr("misread.execution.executor._SECONDS_BETWEEN_LOOKS", 0.01)
    timers = [
        threading.Timer(0.05, setattr, [client, "status", "closed"]),
        threading.Timer(10, waiting.set_exception, [TimeoutError()]),
    ]
    for timer in timers:
        timer.start()
    with pytest.raises(WorkerError, match=r"was lost; start it again"):
        list(two_workers.map(square, [1]))
    for timer in timers:
        timer.cancel()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "127.0.0.1:9"])
def test_an_address_at_which_no_scheduler_answers_is_named(address):
    with (
        Dask(scheduler=address, patience=0.2) as executor,
        pytest.raises(WorkerError, match=rf"^no Dask scheduler answers at {address}; start one .*executor\.scheduler"),
    ):
        list(executor.map(square, [1]))


@pytest.mark.parametrize("address", ["foo://127.0.0.1:9", "tcp://"])
def test_what_is_not_an_address_is_refused(address):
    with (
        Dask(scheduler=address, patience=1.0) as executor,
        pytest.raises(WorkerError, match="no Dask scheduler answers"),
    ):
        list(executor.map(square, [1]))


def test_a_scheduler_without_workers_is_named_with_what_to_do():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Dask(scheduler=cluster.scheduler_address, patience=0.3) as executor,
        pytest.raises(WorkerError, match=r"has no workers; start some with `dask worker"),
    ):
        list(executor.map(square, [1]))


def test_a_scheduler_file_has_the_address(tmp_path):
    distributed = pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster:
        file.write_text(json.dumps({"address": cluster.scheduler_address}))
        with Dask(scheduler=str(file)) as executor:
            assert list(executor.map(square, [3])) == [9]


@pytest.mark.parametrize("content", [None, "{", "[]", "{}"])
def test_a_scheduler_file_that_cannot_be_read_is_refused(tmp_path, content):
    file = tmp_path / "scheduler.json"
    if content is not None:
        file.write_text(content)
    with (
        Dask(scheduler=str(file), patience=0.1) as executor,
        pytest.raises(ConfigurationError, match=r"not a scheduler file that can be read"),
    ):
        list(executor.map(square, [1]))


@pytest.mark.parametrize(("setting", "value"), [("patience", 0.0), ("patience", -1.0)])
def test_no_patience_is_refused(setting, value):
    with pytest.raises(ConfigurationError, match=rf"executor\.{setting} is {value}"):
        Dask(**{setting: value})


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with Dask() as executor, pytest.raises(MissingDependencyError, match=r"pip install 'misread\[dask\]'"):
        list(executor.map(square, [1]))
