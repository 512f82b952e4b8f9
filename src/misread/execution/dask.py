"""Tasks on the workers of a Dask scheduler."""

from __future__ import annotations

import json
import logging
import pickle
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from misread.errors import ConfigurationError, WorkerError, needed_for
from misread.execution.executor import Executor, Result, Task, ignore, results_in_order
from misread.execution.worker import Asker, run_task

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

# Tasks queued for each thread of a worker, so that it never waits for the network.
_TASKS_OF_A_THREAD: Final = 3
# Functions above this number of bytes are sent to each worker once. Smaller ones travel with each task: tasks that wait
# for a function go to the worker that has it, out of order, while other workers are idle.
_MUCH: Final = 1 << 13
_SECONDS_BETWEEN_LOOKS: Final = 0.05  # at a scheduler file that is incomplete
_MEMORY: Final = "a worker ends when it runs out of memory, or when its machine does"
# Settings of the workers started here. Profiles, taken every 10 ms, and checks for late event loops, every 20 ms, are
# of no use here. Dask would make workers return all memory above 64 kB at once: the kernel then clears it for the next
# array, which doubles the time of scoring.
_SETTINGS_HERE: Final = {
    "distributed.worker.daemon": True,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.nanny.pre-spawn-environ": {f"{name}_NUM_THREADS": 1 for name in ("OMP", "MKL", "OPENBLAS")},
}
_PACKAGES: Final = ("python", "dask", "distributed", "msgpack", "cloudpickle")


@dataclass
class Dask(Executor):
    """Runs tasks on the workers of a Dask scheduler, or on workers started on this machine.

    All workers need the same installation as this process, which every task checks, and the study's folder at the same
    path on a shared file system. If a worker dies, others repeat its tasks.

    Parameters
    ----------
    workers : int
        How many to start without a scheduler, with one thread each.
    timeout : float, optional
        Seconds after which a reading that has not ended is stopped, and that segment fails. A remote engine has its
        own.
    scheduler : str
        Address, such as tcp://10.0.0.1:8786, or the path of a scheduler file (.json), as `dask scheduler
        --scheduler-file` writes it. Empty to start workers here.
    memory : str
        Memory limit of each worker started here, such as "4GB"; "auto" divides the machine's memory among them.
    patience : float
        Seconds to wait for an answer from the scheduler, and for a worker.

    Raises
    ------
    ConfigurationError
        If a number is too small.

    References
    ----------
    Rocklin (2015), Dask: Parallel Computation with Blocked Algorithms and Task Scheduling.
    """

    scheduler: str = ""
    memory: str = "auto"
    patience: float = 10.0
    _cluster: LocalCluster | None = field(default=None, init=False, repr=False, compare=False)
    _opened: Client | None = field(default=None, init=False, repr=False, compare=False)

    spans_machines: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.patience > 0:
            raise ConfigurationError(f"executor.patience is {self.patience}, expected seconds above 0.")

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task], *, on_result: Callable[[Result], None] = ignore
    ) -> Iterator[Result]:
        with needed_for("executor dask needs", "distributed", "dask"):
            from distributed import KilledWorker
        client, asker = self._client(), Asker.here()
        content: Any = pickle.dumps(function)
        if len(content) > _MUCH:
            # Sent to the scheduler once, which passes it to workers that come back.
            with warnings.catch_warnings(action="ignore"):
                content = client.submit(_hold, content, pure=False)
        pool = client.get_executor(pure=False)
        ahead = _TASKS_OF_A_THREAD * max(1, sum(client.nthreads().values()))
        try:
            yield from results_in_order(
                lambda task: pool.submit(run_task, content, asker, pickle.dumps(task)),
                tasks,
                ahead=ahead,
                on_result=on_result,
                while_waiting=_WorkersThere(client, self),
            )
        except KilledWorker as error:
            raise WorkerError(
                f"{error.allowed_failures + 1} workers died of the same task: {_MEMORY}. {self._more_memory()}"
            ) from None
        except CancelledError:
            raise WorkerError(
                f"the scheduler at {self._address} was lost; start it again (setting executor.scheduler), and run the "
                "command again."
            ) from None

    def close(self) -> None:
        """Disconnect from the scheduler, and end the workers started here."""
        client, self._opened = self._opened, None
        cluster, self._cluster = self._cluster, None
        if client is not None:
            client.close()
        if cluster is not None:
            cluster.close()

    @property
    def _address(self) -> str:
        return self.scheduler or "this machine"

    def _more_memory(self) -> str:
        if self.scheduler:
            return "Start the workers of executor.scheduler with more memory (`dask worker --memory-limit`)."
        return f"Set fewer executor.workers than {self.workers}, or more executor.memory than {self.memory}."

    def _client(self) -> Client:
        if self._opened is None:
            self._opened = self._open()
            try:
                self._require_workers(self._opened)
            except BaseException:
                self.close()
                raise
        return self._opened

    def _open(self) -> Client:
        import dask
        from distributed import Client, LocalCluster

        # The caller reports a failure in one line.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        if not self.scheduler:
            with dask.config.set(_SETTINGS_HERE):
                self._cluster = LocalCluster(
                    n_workers=self.workers,
                    threads_per_worker=1,
                    memory_limit=_memory_limit(self.memory),
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            return Client(self._cluster)
        try:
            address = _find_address(self.scheduler, self.patience)
            return Client(address, timeout=self.patience, set_as_default=False)
        except OSError:
            raise WorkerError(
                f"no Dask scheduler answers at {self.scheduler}; start one with `dask scheduler`, or set "
                "executor.scheduler (--scheduler) to its address, such as tcp://10.0.0.1:8786, or to its scheduler "
                "file."
            ) from None

    def _require_workers(self, client: Client) -> None:
        """Refuse a scheduler without workers, and workers whose packages differ from those of this process."""
        try:
            client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError:
            raise WorkerError(_no_workers(self)) from None
        versions: dict[str, Any] = client.get_versions(packages=["misread"])
        ours = versions["client"]["packages"]
        for address, worker in {"scheduler": versions["scheduler"], **versions["workers"]}.items():
            theirs = worker["packages"]
            compared = _PACKAGES if address == "scheduler" else (*_PACKAGES, "misread")
            if differing := [name for name in compared if not _is_same(name, ours.get(name), theirs.get(name))]:
                listed = ", ".join(f"{name} {theirs.get(name) or 'missing'} for {ours.get(name)}" for name in differing)
                whose = f"the scheduler at {self._address}" if address == "scheduler" else f"the worker at {address}"
                raise WorkerError(
                    f"{whose} has {listed}: install the same packages there as here (setting executor), and start it "
                    "again."
                )


def _find_address(scheduler: str, patience: float) -> str:
    """Address of a scheduler, which may be in a file; raises ConfigurationError if it is invalid."""
    from distributed.comm.addressing import parse_address
    from distributed.comm.registry import backends

    if scheduler.endswith(".json"):
        try:
            return str(_read_scheduler_file(Path(scheduler), patience)["address"])
        except (OSError, ValueError, LookupError, TypeError):
            raise ConfigurationError(
                f"executor.scheduler is {scheduler!r}, which is not a scheduler file that can be read; write one with "
                "`dask scheduler --scheduler-file`."
            ) from None
    kind, location = parse_address(scheduler)
    if kind not in backends or not location:
        raise ConfigurationError(
            f"executor.scheduler is {scheduler!r}, expected an address such as tcp://10.0.0.1:8786, or a scheduler "
            "file (.json)."
        )
    return scheduler


def _read_scheduler_file(path: Path, patience: float) -> Any:
    """Content of the file; while it is incomplete, wait for the scheduler to write the rest."""
    end = time.monotonic() + patience
    while True:
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            if time.monotonic() > end:
                raise
            time.sleep(_SECONDS_BETWEEN_LOOKS)


def _is_same(name: str, ours: str | None, theirs: str | None) -> bool:
    """Whether two versions work together; for Python only the first two numbers count."""
    if name == "python" and ours and theirs:
        return ours.split(".")[:2] == theirs.split(".")[:2]
    return ours == theirs


class _WorkersThere:
    """Raises WorkerError when all workers have been away for longer than `patience`.

    If the client gave up, it raises CancelledError as abandoned tasks do: those that came later would never end.
    """

    def __init__(self, client: Client, executor: Dask) -> None:
        self._client = client
        self._executor = executor
        self._seen = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        if self._client.status in ("closing", "closed"):
            raise CancelledError
        if self._client.status != "running":
            return
        if self._client.nthreads():
            self._seen = now
        elif now - self._seen > self._executor.patience:
            raise WorkerError(_no_workers(self._executor))


def _no_workers(executor: Dask) -> str:
    return (
        f"the scheduler at {executor.scheduler or 'this machine'} has no workers; start some with `dask worker "
        f"{executor.scheduler or 'ADDRESS'}`, or give them more time (executor.patience, {executor.patience:g} s)."
    )


def _hold(content: bytes) -> bytes:
    """Return the content that all tasks of a call share."""
    return content


def _memory_limit(text: str) -> str:
    """A memory limit for Dask; raises ConfigurationError if it is invalid."""
    from dask.utils import parse_bytes

    if text != "auto":
        try:
            parse_bytes(text)
        except ValueError:
            raise ConfigurationError(f'executor.memory is {text!r}, expected a size such as "4GB", or auto.') from None
    return text
