"""Progress of a capture, on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from misread.pipeline.capture_tally import CaptureTally, show_money
from misread.records import Reading
from misread.text.display import show_label

if TYPE_CHECKING:
    from rich.progress import Task

_SECONDS_BETWEEN: Final = 0.1


class Listeners(NamedTuple):
    """What is called with each reading."""

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
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class TallyColumn(ProgressColumn):
        """Rate, failures, money."""

        def render(self, task: Task) -> Text:
            speed, spent = task.finished_speed or task.speed, tally.spent(is_new=True)
            rate = f"{speed:,.1f}/s" if speed else ""
            failed = f"{tally.failed:,} failed" if tally.failed else ""
            return Text(", ".join(filter(None, [rate, failed, show_money(spent) if spent else ""])))

    shown = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(
        *shown, TimeElapsedColumn(), TimeRemainingColumn(), TallyColumn(), console=Console(stderr=True)
    ) as progress:
        task = progress.add_task(show_label(tally.title), total=total)

        shown_at = 0.0

        def show() -> None:
            progress.update(task, completed=tally.made, total=total - tally.found)

        def show_if_due() -> None:
            # More often than anybody sees it would take longer than many a reading.
            nonlocal shown_at
            if (now := time.monotonic()) - shown_at >= _SECONDS_BETWEEN:
                shown_at = now
                show()

        def on_reading(reading: Reading) -> None:
            count(reading)
            show_if_due()

        def on_found(reading: Reading) -> None:
            count_found(reading)
            show_if_due()

        try:
            yield Listeners(on_reading, on_found)
        finally:
            show()
