"""Progress of tasks on all workers, on standard error where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from misread.text.display import show_label


@contextmanager
def task_progress(title: str, total: int) -> Iterator[Callable[[object], None]]:
    """Show a bar with the time left; what it gives is called with the result of each task."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    shown = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*shown, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        task = progress.add_task(show_label(title), total=total)
        yield lambda _: progress.advance(task)
