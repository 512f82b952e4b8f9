"""Workers of a Dask scheduler: in processes of their own, killed, of another version, without memory, or not there."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.execution.tasks import folder_of, length_with, setting_of, square, square_slowly, take_memory

from misread.errors import ConfigurationError, MissingDependencyError, WorkerError
from misread.execution import Dask, worker
from misread.execution.worker import Asker, identify, run_task

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


@pytest.mark.parametrize("size", [10, 100_000])
def test_what_tasks_share_may_be_little_or_much(two_workers, size):
    assert list(two_workers.map(partial(length_with, bytes(size)), range(5))) == [size + n for n in range(5)]


def test_workers_that_are_started_here_keep_memory_for_the_next_array(two_workers):
    assert list(two_workers.map(setting_of, ["MALLOC_TRIM_THRESHOLD_", "OMP_NUM_THREADS"])) == [None, "1"]


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


def test_tasks_are_done_in_the_folder_of_the_process_that_asks(two_workers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert list(two_workers.map(folder_of, [1, 2, 3])) == [str(tmp_path)] * 3


def test_a_worker_that_is_killed_changes_nothing(two_workers):
    killed = []

    def kill_once(result):
        if not killed:
            killed.append(result[1])
            os.kill(result[1], signal.SIGKILL)

    results = list(two_workers.map(square_slowly, range(40), on_result=kill_once))
    assert [square for square, _ in results] == [n * n for n in range(40)]
    assert {process for _, process in results} - {*killed}


@pytest.mark.parametrize("package", ["numpy", "numba", "pyarrow"])
def test_results_are_of_the_versions_that_are_compared(package):
    assert getattr(identify(), package) == version(package)


def test_a_worker_that_has_other_code_is_named_with_the_difference(two_workers, monkeypatch):
    monkeypatch.setattr(worker, "identify", lambda: replace(identify(), misread="9.9", code="0123"))
    with pytest.raises(WorkerError, match=r"has misread \S+ in place of 9\.9, code \w+ in place of 0123: .*Install"):
        list(two_workers.map(square, [1]))


def test_a_worker_that_does_not_see_the_folder_says_so(tmp_path):
    asker = replace(Asker.here(), folder=tmp_path / "gone")
    with pytest.raises(WorkerError, match=r"does not see the folder .*gone: No such file.*executor\.scheduler"):
        run_task(b"", asker, b"")


def test_a_worker_whose_own_folder_is_gone_does_its_task(tmp_path, monkeypatch):
    asker = Asker.here()
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run_task(pickle.dumps(folder_of), asker, pickle.dumps(0)) == str(asker.folder)


def test_other_packages_on_a_worker_are_named(two_workers, monkeypatch):
    client = two_workers._client()
    versions = client.get_versions(packages=["misread"])
    address = next(iter(versions["workers"]))
    versions["workers"][address]["packages"] |= {"misread": None, "distributed": "2020.1"}
    monkeypatch.setattr(client, "get_versions", lambda packages: versions)
    with pytest.raises(WorkerError, match=rf"worker at {address} has distributed 2020\.1 for .*, misread missing for"):
        two_workers._require_workers(client)


@pytest.mark.slow
def test_workers_that_run_out_of_memory_are_one_line_with_the_setting():
    import dask

    # One death is enough to see; Dask allows for three.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        Dask(workers=1, memory="400MB") as executor,
        pytest.raises(WorkerError, match=r"^1 workers? died of the same task.*memory.*executor\.memory than 400MB"),
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
    monkeypatch.setattr(type(two_workers), "_client", lambda _: client)
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
        pytest.raises(WorkerError, match=rf"^no Dask scheduler answers at {address}; start one .*\(--scheduler\)"),
    ):
        list(executor.map(square, [1]))


@pytest.mark.parametrize("address", ["foo://127.0.0.1:9", "tcp://"])
def test_what_is_not_an_address_is_refused(address):
    with Dask(scheduler=address) as executor, pytest.raises(ConfigurationError, match=r"^executor\.scheduler is '"):
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


def test_a_scheduler_file_that_is_being_written_is_waited_for(tmp_path):
    distributed = pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster:
        content = json.dumps({"address": cluster.scheduler_address})
        file.write_text(content[:9])
        with Dask(scheduler=str(file)) as executor:
            writing = threading.Timer(0.3, file.write_text, [content])
            writing.start()
            assert list(executor.map(square, [3])) == [9]
            writing.join()


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


def test_a_limit_of_memory_that_is_not_a_size_is_refused():
    with Dask(memory="plenty") as executor, pytest.raises(ConfigurationError, match=r"executor\.memory is 'plenty'"):
        list(executor.map(square, [1]))


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with Dask() as executor, pytest.raises(MissingDependencyError, match=r"pip install 'misread\[dask\]'"):
        list(executor.map(square, [1]))
