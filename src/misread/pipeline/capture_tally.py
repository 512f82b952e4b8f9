"""Effort of a capture (readings, time, memory, tokens and money), and its progress on standard error."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from misread.engines.base import Reading
from misread.io.console import progress_bar
from misread.provenance.conditions import ConditionsTally, show_conditions
from misread.text.display import show_label

if TYPE_CHECKING:
    from rich.progress import Task

    from misread.engines.prices import ModelPrice

_MEGABYTE: Final = 1e6


def _no_seconds() -> array[float]:
    return array("f")


@dataclass
class CaptureTally:
    """Counts readings as they come, those that are made now apart from those that were made before."""

    title: str
    price: ModelPrice | None = None
    made: int = 0
    read_before: int = 0
    failed: int = 0
    peak_bytes: int = 0
    start_up_seconds: float = 0.0  # the longest
    conditions: ConditionsTally = field(default_factory=ConditionsTally)  # of readings that have a text
    _begun: float = field(default_factory=time.perf_counter)
    # Seconds.
    _latencies: array[float] = field(default_factory=_no_seconds)
    _warm_ups: array[float] = field(default_factory=_no_seconds)
    _tokens: dict[bool, list[int]] = field(default_factory=lambda: {True: [0, 0], False: [0, 0]})
    # Of answers that were streamed: tokens, and the seconds from their first to their last byte.
    _streamed: list[float] = field(default_factory=lambda: [0.0, 0.0])
    _first_bytes: array[float] = field(default_factory=_no_seconds)

    def add(self, reading: Reading, *, is_new: bool) -> None:
        """Count a reading."""
        self.made += is_new
        self.read_before += not is_new
        self.failed += reading.reason is not None
        if reading.reason is None:
            self.conditions.add(reading.conditions)
        (self._warm_ups if reading.warm_up else self._latencies).append(reading.latency_seconds)
        self.peak_bytes = max(self.peak_bytes, reading.peak_memory_bytes or 0)
        self.start_up_seconds = max(self.start_up_seconds, reading.start_up_seconds or 0.0)
        tokens = self._tokens[is_new]
        tokens[0] += reading.input_tokens or 0
        tokens[1] += reading.output_tokens or 0
        if reading.first_byte_seconds is not None:
            self._first_bytes.append(reading.first_byte_seconds)
            self._streamed[0] += reading.output_tokens or 0
            self._streamed[1] += reading.latency_seconds - reading.first_byte_seconds

    def spent(self, *, is_new: bool) -> float | None:
        """US dollars for the readings of this run, or for those before; None without a price."""
        if self.price is None:
            return None
        made, answered = self._tokens[is_new]
        segments = self.made if is_new else self.read_before
        return self.price.cost(segments=segments, input_tokens=made, output_tokens=answered)

    def facts(self) -> list[tuple[str, str]]:
        """Rows of the summary: names and values."""
        seconds = time.perf_counter() - self._begun
        pace = f" in {seconds:,.1f} s, {self.made / seconds:,.2f}/s" if self.made else ""
        facts = [
            ("readings", f"{self.made + self.read_before:,}, {self.failed:,} of them failed"),
            ("read now", f"{self.made:,}{pace}"),
            ("read before", f"{self.read_before:,}"),
        ]
        if latencies := self._latencies or self._warm_ups:
            apart = (
                f"; first readings apart: {_milliseconds(self._warm_ups)}" if self._latencies and self._warm_ups else ""
            )
            facts.append(("latency", f"{_milliseconds(latencies)}{apart}"))
        if self._first_bytes:
            tokens, streaming = self._streamed
            rate = f", then {tokens / streaming:,.1f} tokens/s" if tokens and streaming > 0 else ""
            facts.append(("first byte", f"{_milliseconds(self._first_bytes)}{rate}"))
        if self.start_up_seconds:
            facts.append(("start-up", f"{self.start_up_seconds:,.2f} s"))
        facts += show_conditions(self.conditions.summed_up(of_server=False)).items()
        if self.peak_bytes:
            facts.append(("peak memory", f"{self.peak_bytes / _MEGABYTE:,.0f} MB"))
        asked, answered = (sum(counts) for counts in zip(*self._tokens.values(), strict=True))
        if asked or answered:
            facts.append(("tokens", f"{asked:,} in, {answered:,} out"))
        now, before = (self.spent(is_new=is_new) for is_new in (True, False))
        if now is not None and before is not None:
            facts.append(("cost", f"{show_money(now)} now, {show_money(now + before)} in all"))
        return facts


def lay_out_facts(title: str, facts: Sequence[tuple[str, str]]) -> str:
    """A table of names and values below a title."""
    width = max(len(name) for name, _ in facts)
    return "\n".join([show_label(title), *(f"  {name:<{width}}  {show_label(value)}" for name, value in facts)])


def show_money(dollars: float) -> str:
    """US dollars, of small sums two digits that are not zero."""
    if dollars != dollars:
        return "an unknown sum (the price has no usd_per_1000_output_tokens)"
    return f"{dollars:,.2f} USD" if dollars >= 0.1 or not dollars else f"{dollars:.2g} USD"


def _milliseconds(seconds: array[float]) -> str:
    # A clock that was set back gives a negative one.
    median, high = 1000 * np.percentile(np.frombuffer(seconds, np.float32).clip(min=0), (50, 90))
    return f"{median:,.1f} ms" if len(seconds) == 1 else f"median {median:,.1f} ms, p90 {high:,.1f} ms"


_SECONDS_BETWEEN: Final = 0.1


class Listeners(NamedTuple):
    """Callback for each reading."""

    on_reading: Callable[[Reading], None]  # made now
    on_found: Callable[[Reading], None]  # made before


@contextmanager
def reading_progress(tally: CaptureTally, total: int, *, quiet: bool = False) -> Iterator[Listeners]:
    """Count readings and, unless it is to be quiet, show a bar with rate, time left, failures and money spent.

    The bar is of the readings that are made now: those from before take no time, and would make the others look fast.
    """
    count, count_found = partial(tally.add, is_new=True), partial(tally.add, is_new=False)
    if quiet:
        yield Listeners(count, count_found)
        return
    from rich.progress import ProgressColumn
    from rich.text import Text

    class TallyColumn(ProgressColumn):
        """Rate, failures, money."""

        def render(self, task: Task) -> Text:
            speed, spent = task.finished_speed or task.speed, tally.spent(is_new=True)
            rate = f"{speed:,.1f}/s" if speed else ""
            failed = f"{tally.failed:,} failed" if tally.failed else ""
            return Text(", ".join(filter(None, [rate, failed, show_money(spent) if spent else ""])))

    with progress_bar(tally.title, total, TallyColumn()) as update:
        shown_at = 0.0

        def show() -> None:
            update(completed=tally.made, total=total - tally.read_before)

        def counting(count: Callable[[Reading], None], reading: Reading) -> None:
            count(reading)
            # More often than anybody sees it would take longer than many a reading.
            nonlocal shown_at
            if (now := time.monotonic()) - shown_at >= _SECONDS_BETWEEN:
                shown_at = now
                show()

        try:
            yield Listeners(partial(counting, count), partial(counting, count_found))
        finally:
            show()
