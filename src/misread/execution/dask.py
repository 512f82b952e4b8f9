"""Tasks on the workers of a Dask scheduler."""

from __future__ import annotations

import json
import logging
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from misread.errors import ConfigurationError, WorkerError, needed_for
from misread.execution.executor import Executor, Result, Task, ignore, results_in_order
from misread.provenance.plugins import study_modules_in_use, use_study_modules
from misread.version import __version__

if TYPE_CHECKING:
    from distributed import Client

# Tasks queued for each thread of a worker, so that it never waits for the network.
_TASKS_OF_A_THREAD: Final = 3
# Of workers started here: each has one processor. Dask's own setting of malloc doubles the time of scoring.
_VARIABLES_HERE: Final = {f"{name}_NUM_THREADS": 1 for name in ("NUMBA", "OMP", "MKL", "OPENBLAS")}


@dataclass
class Dask(Executor):
    """Runs tasks on the workers of a Dask scheduler, or on workers started on this machine.

    Workers need the same installation as this process, and work in the study's folder, on a file system that all share.
    If a worker dies, others repeat its tasks.

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
    patience: float = 10.0
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
        if self._opened is None:
            self._opened = self._open()
        client, environment = self._opened, (__version__, str(Path.cwd()))
        pool = client.get_executor(pure=False)

        def require_scheduler() -> None:
            # Tasks that came after the client gave up would never end.
            if client.status in ("closing", "closed"):
                raise CancelledError

        try:
            yield from results_in_order(
                lambda task: pool.submit(run_task, environment, study_modules_in_use(), pickle.dumps((function, task))),
                tasks,
                ahead=_TASKS_OF_A_THREAD * max(1, sum(client.nthreads().values())),
                on_result=on_result,
                while_waiting=require_scheduler,
            )
        except KilledWorker as error:
            raise WorkerError(
                f"{error.allowed_failures + 1} workers died of the same task: a worker ends when it runs out of "
                "memory. Give the workers more, or set fewer executor.workers."
            ) from None
        except CancelledError:
            raise WorkerError(
                f"the scheduler at {self.scheduler or 'this machine'} was lost; start it again (setting "
                "executor.scheduler), and run the command again."
            ) from None

    def close(self) -> None:
        """Disconnect from the scheduler, and end the workers started here."""
        client, self._opened = self._opened, None
        if client is not None:
            cluster = client.cluster
            client.close()
            if cluster is not None:
                cluster.close()

    def _open(self) -> Client:
        import dask
        from distributed import Client, LocalCluster

        # The caller reports a failure in one line.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        if not self.scheduler:
            with dask.config.set({"distributed.nanny.pre-spawn-environ": _VARIABLES_HERE}):
                return Client(
                    LocalCluster(
                        n_workers=self.workers,
                        threads_per_worker=1,
                        dashboard_address="127.0.0.1:0",
                        silence_logs=logging.CRITICAL,
                    )
                )
        address = _read_address(self.scheduler)
        try:
            client = Client(address, timeout=self.patience, set_as_default=False)
        except (OSError, ValueError):
            raise WorkerError(
                f"no Dask scheduler answers at {self.scheduler}; start one with `dask scheduler`, or set "
                "executor.scheduler to its address, such as tcp://10.0.0.1:8786, or to its scheduler file (.json)."
            ) from None
        try:
            client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError:
            client.close()
            raise WorkerError(
                f"the scheduler at {self.scheduler} has no workers; start some with `dask worker {self.scheduler}`, or "
                f"give them more time (executor.patience, {self.patience:g} s)."
            ) from None
        return client


def _read_address(scheduler: str) -> str:
    if not scheduler.endswith(".json"):
        return scheduler
    try:
        return str(json.loads(Path(scheduler).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, LookupError, TypeError):
        raise ConfigurationError(
            f"executor.scheduler is {scheduler!r}, which is not a scheduler file that can be read; write one with "
            "`dask scheduler --scheduler-file`."
        ) from None


def run_task(expected: tuple[str, str], modules: Mapping[str, Path], pickled: bytes) -> Any:
    """Result of a function for a task, with the modules of the study that asks.

    Raises WorkerError on a worker of another version or in another folder: workers may join at any time.
    """
    worker = (__version__, str(Path.cwd()))
    if worker != expected:
        raise WorkerError(
            f"a worker runs misread {worker[0]} in {worker[1]}, expected {expected[0]} in {expected[1]}: start workers "
            "(setting executor) with the same installation, in the folder of the study."
        )
    for name, root in modules.items():
        use_study_modules([name], root)
    function, task = pickle.loads(pickled)  # noqa: S301  of the process that asks
    return function(task)
