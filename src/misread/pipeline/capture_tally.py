"""What a capture took: readings, time, memory, tokens and money."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from misread.engines.timing.percentiles import Percentiles
from misread.records import Reading
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.engines.prices import ModelPrice

_MEGABYTE: Final = 1e6


@dataclass
class CaptureTally:
    """Counts readings as they come, those that are made now apart from those that were made before."""

    title: str
    price: ModelPrice | None = None
    made: int = 0
    found: int = 0
    failed: int = 0
    peak_bytes: int = 0
    start_up_seconds: float = 0.0  # the longest
    _begun: float = field(default_factory=time.perf_counter)
    _latencies: Percentiles = field(default_factory=Percentiles)
    _warm_ups: Percentiles = field(default_factory=Percentiles)
    _tokens: dict[bool, list[int]] = field(default_factory=lambda: {True: [0, 0], False: [0, 0]})
    # Of answers that were streamed: tokens, and the seconds from their first to their last byte.
    _streamed: list[float] = field(default_factory=lambda: [0.0, 0.0])
    _first_bytes: Percentiles = field(default_factory=Percentiles)

    def add(self, reading: Reading, *, is_new: bool) -> None:
        """Count a reading."""
        self.made += is_new
        self.found += not is_new
        self.failed += reading.reason is not None
        (self._warm_ups if reading.warm_up else self._latencies).add(reading.latency_seconds)
        self.peak_bytes = max(self.peak_bytes, reading.peak_memory_bytes or 0)
        self.start_up_seconds = max(self.start_up_seconds, reading.start_up_seconds or 0.0)
        tokens = self._tokens[is_new]
        tokens[0] += reading.input_tokens or 0
        tokens[1] += reading.output_tokens or 0
        if reading.first_byte_seconds is not None:
            self._first_bytes.add(reading.first_byte_seconds)
            self._streamed[0] += reading.output_tokens or 0
            self._streamed[1] += reading.latency_seconds - reading.first_byte_seconds

    def spent(self, *, is_new: bool) -> float | None:
        """US dollars for the readings of this run, or for those before; None without a price."""
        if self.price is None:
            return None
        made, answered = self._tokens[is_new]
        segments = self.made if is_new else self.found
        return self.price.cost(segments=segments, input_tokens=made, output_tokens=answered)

    def facts(self) -> list[tuple[str, str]]:
        """Rows of the summary: names and values."""
        seconds = time.perf_counter() - self._begun
        pace = f" in {seconds:,.1f} s, {self.made / seconds:,.2f}/s" if self.made else ""
        facts = [
            ("readings", f"{self.made + self.found:,}, of which {self.failed:,} failed"),
            ("read now", f"{self.made:,}{pace}"),
            ("read before", f"{self.found:,}"),
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


def _milliseconds(seconds: Percentiles) -> str:
    median, high = 1000 * seconds.of((50, 90))
    return f"{median:,.1f} ms" if len(seconds) == 1 else f"median {median:,.1f} ms, p90 {high:,.1f} ms"
