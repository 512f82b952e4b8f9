"""Options of `misread score` except those of its texts: counts, tests and output."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from misread.cli.help_pages import Panel
from misread.cli.options import Margin, RawCsv, Width
from misread.evaluation.score_text import Output
from misread.sockets.views import VIEWS


class Report(StrEnum):
    """What is printed next to the rates."""

    EVALUATION_LINES = "evaluation_lines"
    STANDARDS = "standards"


class Pairing(StrEnum):
    """Policy for outputs that fit other references than their own."""

    CHECKED = "checked"
    STRICT = "strict"
    AS_GIVEN = "as-given"


class TestedPairs(StrEnum):
    """Pairs of systems whose difference is tested."""

    ALL = "all"
    BASELINE = "baseline"


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """Settings of counting, tests and output."""

    example: Annotated[bool, typer.Option("--example", help="Score 40 lines that misread brings.")] = False
    clean: Annotated[
        list[str] | None,
        typer.Option(
            help="COLUMN=LEVEL, the clean level of a --groups column: how much every other level adds to its rate; "
            "repeat.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = None
    group_order: Annotated[
        list[str] | None,
        typer.Option(
            help="COLUMN=LEVEL,LEVEL of --groups: order of its levels in tables; others follow by name; repeat.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            help="Names, joined by commas, with settings in brackets and an id of your own before =: "
            "cer,nist=wer(alignment=sclite); by default cer,wer; repeat."
        ),
    ] = None
    tests: Annotated[
        str | None,
        typer.Option(
            help="Further paired tests to show with the deciding one, joined by commas (wilcoxon,mcnemar); no "
            "verdict uses them.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = None
    runs: Annotated[
        str,
        typer.Option(
            help="How repeated runs count: averaged (only clusters are drawn), or crossed (runs are drawn too, which "
            "runs that share an effect need).",
            rich_help_panel=Panel.RUNS,
        ),
    ] = "averaged"
    margin: Margin = None
    pairing: Annotated[
        Pairing,
        typer.Option(
            help="Outputs that fit other references than their own: checked refuses them if one other pairing explains "
            "nearly all, else warns; strict refuses them; as-given scores them, and the signature says so.",
            rich_help_panel=Panel.FILES,
        ),
    ] = Pairing.CHECKED
    baseline: Annotated[str | None, typer.Option(help="System to compare with; else the first.")] = None
    pairs: Annotated[
        TestedPairs,
        typer.Option(
            help="Which systems are compared: all with each other, or all with the baseline alone.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = TestedPairs.ALL
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.", rich_help_panel=Panel.STATISTICS)] = 9999
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.", rich_help_panel=Panel.STATISTICS)] = 0.95
    seed: Annotated[
        int, typer.Option(help="Seed of the bootstrap; part of the signature.", rich_help_panel=Panel.STATISTICS)
    ] = 1
    report: Annotated[
        Report | None,
        typer.Option(
            help="evaluation_lines: each text in 17 columns, which CSV then holds; standards: words for the CER, and "
            "published rates.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None
    run_dir: Annotated[
        Path | None,
        typer.Option(
            help="Folder to write config.json, results.json (every segment) and summary.json into.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None
    confusions: Annotated[
        int,
        typer.Option(
            min=0,
            help="Most frequent confusions of characters and of words to print; CSV then holds these.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = 0
    decompose: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEPS",
            help="What rates and differences are made of, in parts that add up: english, ocr, or up to eight steps, "
            "such as fold_case+remove_punctuation; repeat.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None
    view: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Further table on the segments, which CSV then holds: {', '.join(VIEWS)}; with settings in brackets, "
            "such as bands(edges=[10,100]), and before = an id of your own; repeat.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE
    notes: Annotated[
        bool,
        typer.Option(
            "--notes",
            help="Print every note, not only what a paper needs.",
        ),
    ] = False
    name: Annotated[str, typer.Option(help="Name of the data set in tables.", rich_help_panel=Panel.OUTPUT)] = ""
    caption: Annotated[
        str,
        typer.Option(
            help="Caption of the table of one metric, in place of the usual one.", rich_help_panel=Panel.OUTPUT
        ),
    ] = ""
    label: Annotated[
        str,
        typer.Option(
            help="Label of the table of one metric in LaTeX, such as tab:results.", rich_help_panel=Panel.OUTPUT
        ),
    ] = ""
    width: Width = None
    raw_csv: RawCsv = False
