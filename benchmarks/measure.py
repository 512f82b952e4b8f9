"""CPU time of misread and its peers, interleaved in one process, on one thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Peer:
    """What another tool does for the same result, and which share of the work it gets."""

    name: str
    run: Callable[[], object]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what is done, how, and beside whom."""

    work: str
    output: str
    run: Callable[[], object]
    peers: tuple[Peer, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """Medians in seconds of the whole work, and the fastest peer."""

    row: Row
    seconds: float
    peer: str
    peer_seconds: float

    @property
    def ratio(self) -> float:
        return self.peer_seconds / self.seconds


def measure(row: Row, rounds: int) -> Timing:
    """Run all sides in turn, once unmeasured and then `rounds` times."""
    runs = [row.run, *(peer.run for peer in row.peers)]
    seconds: list[list[float]] = [[] for _ in runs]
    for measured in range(rounds + 1):
        for run, spent in zip(runs, seconds, strict=True):
            start = time.process_time()
            run()
            if measured:
                spent.append(time.process_time() - start)
    own, *others = map(median, seconds)
    totals = [spent / peer.share for spent, peer in zip(others, row.peers, strict=True)]
    peer_seconds = min(totals)
    return Timing(row, own, row.peers[totals.index(peer_seconds)].name, peer_seconds)
