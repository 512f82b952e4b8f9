"""`misread replay`: make a table of a commit again from its counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from misread.cli.options import NOT_AT_HAND
from misread.errors import MisreadError, MissingResultsError
from misread.io.console import print_error, write_out
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.revisions.replay import Replay

_DIFFERS: Final = 1
_NOT_REPLAYED: Final = 2
_OTHER_VERSION: Final = 3


def replay(
    signature_file: Annotated[
        Path, typer.Argument(metavar="SIGNATURE-FILE", help="TABLE.signature.json, as the report writes it.")
    ],
    revision: Annotated[
        str | None,
        typer.Option(help="Commit or DVC experiment of the table; else the commit that brought the signature file."),
    ] = None,
) -> None:
    """Make a table of a commit again, and compare it.

    The installed version makes it from the counts in Git, with the settings of the commit; nothing is checked out, and
    no code of the commit runs. Ends with 0 if every file is the same, byte for byte, with 1 if one is not, and with 2
    if the table cannot be made again. Where another version of misread made the table, it ends with 3 and says how many
    numbers differ. Ends with 4 if Git does not have what the table shows, such as texts, and says how to make it.
    """
    from misread.revisions import replay_table

    try:
        done = replay_table(Path(), signature_file, revision)
    except MisreadError as error:
        print_error(error)
        raise typer.Exit(NOT_AT_HAND if isinstance(error, MissingResultsError) else _NOT_REPLAYED) from None
    write_out(show_label(f"{done.commit.short} {done.commit.date} {done.commit.subject}"))
    if not done.is_same_version:
        write_out(show_label(_say_other_version(done)))
    else:
        for file in done.files:
            line = f"{'DIFFERS' if file.difference else 'identical':10} {file.name}  {file.difference}".rstrip()
            write_out(show_label(line))
    write_out(show_label(done.signature))
    if not done.is_same_version:
        raise typer.Exit(_OTHER_VERSION)
    if not done.is_identical:
        raise typer.Exit(_DIFFERS)


def _say_other_version(done: Replay) -> str:
    from misread.version import __version__

    number = sum(done.numbers.values())
    differing = f"{number:,} number{'s differ' if number != 1 else ' differs'} ({', '.join(done.numbers)})"
    return f"made by misread {done.version}, installed {__version__}: {differing if number else 'no number differs'}"
