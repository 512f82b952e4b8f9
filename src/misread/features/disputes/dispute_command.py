"""`misread dispute`: the spans in which systems differ, to be filled with the truth."""

from pathlib import Path
from typing import Annotated

import typer

from misread.cli.help_pages import Panel
from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import ProjectDataset, ProjectSystems
from misread.errors import ConfigurationError, setting
from misread.features.disputes.draw import CONTEXT, Draw


@takes_records(without=("groups", "annotations"))
def dispute(
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE", help="One file or folder per system, which names the system; references are not needed."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table to write, with an empty column truth: .csv or .jsonl."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Page to write (.html), on which the truth is typed and saved."),
    ] = None,
    context: Annotated[
        int, typer.Option(help="Characters on either side of a difference that are typed with it.")
    ] = CONTEXT,
    budget: Annotated[
        int | None,
        typer.Option(help="Characters in disputed spans at most: whole clusters in random order, as many as fit."),
    ] = None,
    order: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Order of `misread plan next`: spans are those of its first units alone."),
    ] = None,
    units: Annotated[int | None, typer.Option(help="With --order: how many of its units.")] = None,
    inputs: Inputs,
    dataset: ProjectDataset = None,
    systems: ProjectSystems = None,
    media: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN|FOLDER",
            help="Images or recordings for the page: with --table a column of their paths, else a folder in which "
            "they are called like the segments.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Seed of all draws and of the order of readings.", rich_help_panel=Panel.STATISTICS)
    ] = 1,
) -> None:
    r"""Find where systems differ: only there truth is typed.

    For instance:

    \b
      misread dispute tesseract/ kraken/ --cluster '^([^/]+)/' --page spans.html
      misread dispute --table lines.csv --hyp a=a --hyp b=b --segment-id line --cluster page --out spans.csv
      misread decide spans.csv --table lines.csv --hyp a=a --hyp b=b --segment-id line --cluster page

    Neither the table nor the page says which system read what. `misread decide` takes what was filled.
    """
    from misread.features.disputes.agreement.order import read_order
    from misread.features.disputes.drawn_units import check_order, draw_first
    from misread.features.disputes.given_texts import name_systems, read_disputes
    from misread.io.console import write_out
    from misread.text.nouns import count_of, plural

    if out is None and page is None:
        raise ConfigurationError(f"name {setting('out', 'spans.csv')}, {setting('page', 'spans.html')}, or both.")
    listed = None if order is None else read_order(order)
    draw = draw_first(Draw(context=context, budget=budget, seed=seed, units=units), listed)
    if dataset is None:
        inputs = name_systems(inputs, files)
    disputes = read_disputes(inputs, dataset, systems, draw, media)
    if listed is not None:
        check_order(disputes, listed)
    for path, write in ((out, disputes.save), (page, disputes.page)):
        if path is not None:
            write(path)
            write_out(f"wrote {path}")
    write_out(f"{count_of(len(disputes), 'span')} to type: {disputes.share:.1%} of the characters")
    if budget is not None or units is not None:
        clusters = {disputes.labels[row] for row in disputes.rows}
        write_out(f"drawn: {len(clusters):,} of {len({*disputes.labels}):,} {plural(disputes.unit)}")
    if disputes.left_out:
        write_out(f"left out: {count_of(disputes.left_out, 'segment')} that a system has not read")
