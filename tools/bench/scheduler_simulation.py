"""Simulation of a corpus that is scored by many workers: `python -m tools.bench.scheduler_simulation`.

Partitions of random length are handed out in their order by one scheduler to workers that may die; one driver takes
the results, one after the other, and writes them in the order of the partitions. What a partition costs a worker, the
scheduler and the driver is measured (docs/design/021-plan-of-scale.md); failures and stragglers are assumed.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

TASKS_OF_A_THREAD = 3  # as misread.execution.dask hands out


@dataclass(frozen=True)
class Load:
    """What is to be done, and by whom; times in seconds."""

    segments: int
    workers: int  # each with one thread
    rows: int = 1 << 15  # of a partition
    segment_seconds: float = 8.1e-6  # of a worker: scores, confusions joined and encoded
    spread: float = 0.3  # standard deviation of the logarithm of a partition's time
    stragglers: float = 0.01  # share of partitions that take longer
    slowness: float = 5.0  # how much longer these take
    lifetime: float = math.inf  # mean time until a worker dies
    restart: float = 30.0  # until it is back, with its code loaded
    task_seconds: float = 11e-3  # of the scheduler and the network: 2.2 tasks for each partition
    driver_segment_seconds: float = 0.22e-6  # of the driver, which copies rows and adds up sums

    @property
    def partitions(self) -> int:
        """Number of partitions."""
        return -(-self.segments // self.rows)


@dataclass(frozen=True)
class Outcome:
    """How it went."""

    seconds: float  # until the last partition is written
    efficiency: float  # share of the workers' time that went into results
    driver_share: float  # share of the time in which the driver was busy
    most_waiting: int  # results that waited for an earlier one, at most
    repeated: int  # partitions that were begun again since a worker died


def simulate(load: Load, *, seed: int = 1) -> Outcome:
    """Run all partitions once; each is written exactly once, whatever dies."""
    rng = random.Random(seed)
    lengths = [_draw_length(rng, load) for _ in range(load.partitions)]
    waiting = deque(range(load.partitions))
    ahead = TASKS_OF_A_THREAD * load.workers
    idle = load.workers
    events: list[tuple[float, int, str, int]] = []
    now = scheduler_free = driver_free = driver_busy = worked = 0.0
    arrived: set[int] = set()
    turn = begun = taken = most_waiting = repeated = serial = 0

    def push(at: float, kind: str, partition: int) -> None:
        nonlocal serial
        serial += 1
        heapq.heappush(events, (at, serial, kind, partition))

    while turn < load.partitions:
        # The driver hands out as many as may be ahead of the results that it has taken.
        while idle and waiting and (begun - taken < ahead):
            partition = waiting.popleft()
            idle, begun = idle - 1, begun + 1
            scheduler_free = max(scheduler_free, now) + load.task_seconds
            end = scheduler_free + lengths[partition]
            death = scheduler_free + rng.expovariate(1.0) * load.lifetime
            if death < end:
                push(death, "died", partition)
            else:
                push(end, "done", partition)
        now, _, kind, partition = heapq.heappop(events)
        if kind == "died":
            waiting.appendleft(partition)
            begun, repeated = begun - 1, repeated + 1
            push(now + load.restart, "back", partition)
        elif kind == "back":
            idle += 1
        elif kind == "done":
            idle += 1
            worked += lengths[partition]
            cost = load.rows * load.driver_segment_seconds
            driver_free, driver_busy = max(driver_free, now) + cost, driver_busy + cost
            push(driver_free, "taken", partition)
        else:
            arrived.add(partition)
            taken += 1
            while turn in arrived:
                arrived.remove(turn)
                turn += 1
            most_waiting = max(most_waiting, len(arrived))
    return Outcome(now, worked / (load.workers * now), driver_busy / now, most_waiting, repeated)


def _draw_length(rng: random.Random, load: Load) -> float:
    """Seconds of a partition, of the mean that the load says but for stragglers."""
    length = load.rows * load.segment_seconds * rng.lognormvariate(-(load.spread**2) / 2, load.spread)
    return length * load.slowness if rng.random() < load.stragglers else length


def loads() -> Iterator[tuple[str, Load]]:
    """The cases of the table in docs/design/021-plan-of-scale.md."""
    billion = Load(10**9, workers=8)
    # What the driver does no more is done by the workers.
    at_first = replace(billion, rows=1 << 16, segment_seconds=6.5e-6, task_seconds=5e-3, driver_segment_seconds=3.2e-6)
    for workers in (2, 8, 64):
        yield "the driver encodes rows and joins confusions", replace(at_first, workers=workers)
    joined = replace(at_first, driver_segment_seconds=1e-6, segment_seconds=8.7e-6)
    for workers in (8, 16, 64):
        yield "workers join confusions", replace(joined, workers=workers)
    for workers in (1, 2, 8, 16, 64):
        yield "workers encode rows, too: as measured", replace(billion, workers=workers)
    large = replace(billion, rows=1 << 17, workers=64)
    for workers in (16, 64, 256):
        yield "... partitions of 131,072 rows", replace(large, workers=workers)
    yield "... and each worker dies once an hour", replace(large, lifetime=3600.0)
    yield "... and a tenth of the partitions takes five times as long", replace(large, stragglers=0.1)
    yield "... and ten billion segments", replace(large, segments=10**10)


def main() -> None:
    """Print the table."""
    print("| case | segments | workers | hours | efficiency | driver busy | most waiting | begun again |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, load in loads():
        found = simulate(load)
        print(
            f"| {name} | {load.segments:,} | {load.workers} | {found.seconds / 3600:.2f} | {found.efficiency:.0%} "
            f"| {found.driver_share:.0%} | {found.most_waiting:,} | {found.repeated:,} |"
        )


if __name__ == "__main__":
    main()
