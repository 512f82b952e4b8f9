"""Measurements of misread and other tools: interleaved runs, on one thread, in CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Peer:
    """Another tool with the same result, and the share of the work that it is given."""

    name: str
    run: Callable[[], object]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Ratio:
    """Speed-up over the fastest peer: CPU time of the peer over that of misread."""

    work: str
    output: str
    run: Callable[[], object]
    peers: tuple[Peer, ...]
    goal: str = ""
    stretch: str = ""

    def measure(self, rounds: int) -> tuple[str, str]:
        """Run all sides in turn; return the name of the fastest peer, and the figure."""
        own, *others = map(median, interleave([self.run, *(peer.run for peer in self.peers)], rounds))
        totals = {peer.name: spent / peer.share for spent, peer in zip(others, self.peers, strict=True)}
        fastest = min(totals, key=lambda name: totals[name])
        return fastest, f"{totals[fastest] / own:.3g} x"


@dataclass(frozen=True, slots=True)
class Figure:
    """Any other measure with a goal: a ratio of times, a time, memory."""

    work: str
    output: str
    beside: str
    figure: Callable[[int], str]
    goal: str = ""
    stretch: str = ""

    def measure(self, rounds: int) -> tuple[str, str]:
        """Measure it; times are medians."""
        return self.beside, self.figure(rounds)


Row = Ratio | Figure
"""One line of the table."""


def interleave(runs: list[Callable[[], object]], rounds: int) -> list[list[float]]:
    """Run in turn, once to warm up and then `rounds` times; return the CPU seconds of each."""
    seconds: list[list[float]] = [[] for _ in runs]
    for measured in range(rounds + 1):
        for run, spent in zip(runs, seconds, strict=True):
            start = time.process_time()
            run()
            if measured:
                spent.append(time.process_time() - start)
    return seconds
