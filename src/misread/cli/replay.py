"""`misread replay`: make a table again at the revision that it comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from misread.cli.options import NOT_AT_HAND
from misread.errors import MissingResultsError
from misread.io.console import print_error, write_out
from misread.text.display import show_label


def replay(
    signature_file: Annotated[
        Path, typer.Argument(metavar="SIGNATURE-FILE", help="TABLE.signature.json, as the report writes it.")
    ],
    first_stage: Annotated[
        str, typer.Option("--from", metavar="STAGE", help="Run everything from this stage on; the rest is from DVC.")
    ] = "normalize",
    revision: Annotated[
        str | None,
        typer.Option(help="Commit or DVC experiment to check out; else the commit that brought the signature file."),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run the code of a commit that is not in the history of the present one.")
    ] = False,
) -> None:
    """Make a table again and compare it byte by byte.

    The revision is checked out beside the working tree, its results are taken from DVC's cache or remote, and its own
    code runs: of a commit that is not in the history of the present one, such as a DVC experiment or another branch,
    only with --trust. Ends with status 1 if a file differs, and with 4 if neither the cache nor the remote of DVC has
    the results; --from then runs earlier stages again, too.
    """
    from tempfile import TemporaryDirectory

    from misread.revisions import replay_table

    try:
        with TemporaryDirectory(prefix="misread-") as folder:
            done = replay_table(
                Path(),
                signature_file,
                Path(folder) / "tree",
                first_stage=first_stage,
                revision=revision,
                trust=trust,
            )
    except MissingResultsError as error:
        print_error(error)
        raise typer.Exit(NOT_AT_HAND) from None
    write_out(show_label(f"{done.commit.short} {done.commit.date} {done.commit.subject}"))
    write_out(f"ran again: {', '.join(done.stages)}")
    for file in done.files:
        line = f"{'DIFFERS' if file.difference else 'identical':10} {file.name}  {file.difference}".rstrip()
        write_out(show_label(line))
    write_out(show_label(done.signature))
    if not done.is_identical:
        raise typer.Exit(1)
