"""What stages and commands print: progress, warnings, and errors as answers, all to standard error."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from misread.errors import MisreadError
from misread.records import Origin, Reading


def run_stage(main: Callable[..., None]) -> None:
    """Run a stage script's main function with the words of its command line.

    A MisreadError is printed as one line and ends the stage with status 1.

    Parameters
    ----------
    main : callable
        Takes as many ids as the script has arguments.
    """
    logging.basicConfig(level=logging.WARNING, format="warning: %(message)s", stream=sys.stderr)
    expected = list(inspect.signature(main).parameters)
    given = sys.argv[1:]
    if len(given) != len(expected):
        sys.exit(f"usage: {sys.argv[0]} {' '.join(name.upper() for name in expected)}")
    try:
        main(*given)
    except MisreadError as error:
        print_error(error)
        sys.exit(1)


def print_error(error: MisreadError) -> None:
    """Print an error as one line on standard error."""
    sys.stderr.write(f"error: {error}\n")


@contextmanager
def reading_progress(title: str, total: int) -> Iterator[Callable[[Reading], None]]:
    """Show a progress bar on standard error while an engine reads.

    Parameters
    ----------
    title : str
        What goes on.
    total : int
        Number of readings to come.

    Yields
    ------
    callable
        To be told each reading.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*shown, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total)
        yield lambda _: progress.advance(task)


def warn_of_notes(origins: Iterable[Origin]) -> None:
    """Print what is doubtful in the data, once where it is the same for several systems."""
    for note in dict.fromkeys(note for origin in origins for note in origin.notes):
        sys.stderr.write(f"warning: {note}\n")


def warn_of_failures(origin: Origin, readings: Sequence[Reading]) -> None:
    """Name the segments without a text and their reasons; they are kept in the capture."""
    if origin.not_applicable:
        sys.stderr.write(f"note: {origin.system} is left out of {origin.dataset}: {origin.not_applicable}\n")
    failed = [reading for reading in readings if reading.text is None]
    for reading in failed:
        sys.stderr.write(f"warning: segment {reading.segment_id!r} of {origin.dataset!r}: {reading.reason}\n")
    if failed:
        sys.stderr.write(
            f"warning: {len(failed)} of {len(readings)} segments failed and are kept with their reason; the others "
            "were captured. Mend the files and run `dvc repro` again: only these will be read.\n"
        )
