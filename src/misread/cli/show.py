"""`misread show`: everything about one segment."""

from __future__ import annotations

from typing import Annotated

import typer


def show(
    segment: Annotated[str, typer.Argument(help="Id of the segment.")],
    dataset: Annotated[str | None, typer.Option(help="Id of its data set, where several have such a segment.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Write out what equals the reference, too.")] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Marks in ASCII.")] = False,
) -> None:
    """Show everything about one segment.

    That is: where it belongs, its image or audio, every text raw and normalized, every metric of every system, and
    all systems aligned under the reference.
    """
    from misread.display.dossier import dossier_text
    from misread.display.grid import GridStyle
    from misread.display.lines import make_console, print_lines
    from misread.inspection import compile_dossier, find_segment
    from misread.pipeline.params import load_params

    params = load_params()
    found = find_segment(params, segment, dataset=dataset)
    console = make_console()
    style = GridStyle(console.width, full, ascii_only)
    print_lines(dossier_text(compile_dossier(params, found, segment), style), console)
