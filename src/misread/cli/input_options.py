"""Options that name references and hypotheses: files, folders, or columns of a table; each is declared once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Final

import typer

from misread.cli.help_pages import Panel
from misread.cli.normalizer_option import make_normalizer
from misread.cli.options import split_list
from misread.data.formats import FORMATS
from misread.data.formats.base import SEGMENTED, Kind
from misread.data.table_columns import BRACKETS
from misread.errors import ConfigurationError, setting
from misread.io.names import bare_name

if TYPE_CHECKING:
    from misread.normalize import Normalizer

HOW_TO_NAME: Final = f"give REF HYP [HYP ...], or {setting('ref', 'FILE')} and {setting('hyp', 'NAME=FILE')}."
ASR_LOG: Final = "asr_log"
"""The format that a table may be of, whatever it is called."""

KINDS: Final[Sequence[Kind]] = (*SEGMENTED, "pages", "log")
"""Kinds of files that are scored."""


def _require_known(name: str | None) -> str | None:
    """Refuse a name that is neither a format nor dotted, in the words for any other choice."""
    bare = bare_name(name or "")
    if bare and "." not in bare and bare not in FORMATS and bare != ASR_LOG:
        raise typer.BadParameter(f"{bare!r} is not one of {', '.join(map(repr, FORMATS))}.")
    return name


@dataclass(frozen=True, kw_only=True)
class InputOptions:
    """Options of every command that takes texts."""

    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="References, then a file or folder per system, called after it; or logs alone (`--format`)."
        ),
    ] = None
    ref: Annotated[str | None, typer.Option(help="References: file, folder, or column of --table.")] = None
    hyp: Annotated[
        list[str] | None,
        typer.Option(help="NAME=FILE (or folder) of a system, or NAME=COLUMN of --table; repeat."),
    ] = None
    table: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Table with one row per segment: .csv, .tsv, .jsonl or .parquet. More columns in brackets, "
            f"'FILE(system=COLUMN)' for rows of one system each: {', '.join(BRACKETS)}.",
        ),
    ] = None
    segment_id: Annotated[
        str | None,
        typer.Option(help="Columns of segment ids of --table, joined by commas, or of --ids-table."),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Clusters (page, speaker), resampled as a whole: a column of --table or --ids-table, a key of logs, "
            "the word folder, or a regular expression whose group finds the cluster in a path or an id."
        ),
    ] = None
    normalizer: Annotated[
        str,
        typer.Option(
            help="Normalizer of both sides: a name (`misread list normalizers`), a YAML file, or steps: "
            "nfc,lower_case; `score` compares several: none,ocr."
        ),
    ] = "none"
    missing: Annotated[str, typer.Option(help="If one side lacks a segment: error, drop or empty.")] = "error"
    ids_table: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Table with one row per segment or file, found by its id (column id, or --segment-id); --cluster and "
            "--groups name columns of it.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    paths_table: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Table of files that belong together, by paths from its folder: --ref and --hyp name columns (of two "
            "columns the first has references), and so do --segment-id, --cluster and --groups.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            callback=_require_known,
            help=f"Of files: {', '.join(FORMATS)}, or the dotted name of your own, with settings in brackets: "
            "'page(level=line,text_of=word)', 'alto(hyphens=joined)', 'trn(optional_words=true)', "
            "'srt(repeats=drop)', 'textgrid(tier=words)', 'nlp(alternatives=FOLDER)', 'nlp(entities=FOLDER)', "
            "'text(verbatim=true)'; `misread list formats` describes each. By default it is recognised by the content "
            "where that is certain; else it is lines "
            f"for files and text for folders. Of --table: {ASR_LOG}.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    hypothesis_format: Annotated[
        str | None,
        typer.Option(
            "--hyp-format",
            metavar="NAME",
            callback=_require_known,
            help="Format of the hypotheses, if --format is that of the references alone: both of pages, or both of "
            "segments with times.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    encoding: Annotated[
        str,
        typer.Option(
            help="Encoding of text files, such as latin-1 or cp1252; a byte order mark overrides it.",
            rich_help_panel=Panel.FILES,
        ),
    ] = "utf-8"
    annotations: Annotated[
        list[str] | None,
        typer.Option(
            help="JSON Lines with what some metrics need besides texts, by id: FILE for the references, NAME=FILE "
            'for a system, as {"id": "1", "confidence": [0.9, 0.5]}; repeat.',
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    patterns: Annotated[
        list[str] | None,
        typer.Option(
            "--pattern",
            help="Of folders: which files are texts, as '*.txt' or 'page_*/*.gt.txt'; repeat. By default those of the "
            "most frequent ending, without README, images and audio.",
            rich_help_panel=Panel.FOLDERS,
        ),
    ] = None
    reference_pattern: Annotated[
        str,
        typer.Option(
            "--ref-pattern",
            help="Of folders: names of references with one *, such as '*.gt.txt' or 'gt_*.txt': files are paired by "
            "the part that it is for, and by their folders.",
            rich_help_panel=Panel.FOLDERS,
        ),
    ] = ""
    hypothesis_pattern: Annotated[
        str,
        typer.Option(
            "--hyp-pattern",
            help="Of folders: names of hypotheses with one *, such as '*_ocr.xml' or 'page-*.out'.",
            rich_help_panel=Panel.FOLDERS,
        ),
    ] = ""
    resegment: Annotated[
        bool,
        typer.Option(
            "--resegment",
            help="If both sides are cut into different segments: align the words of every recording (of lines: of the "
            "file), and cut the hypothesis where the references are cut; part of the signature.",
            rich_help_panel=Panel.SPEECH,
        ),
    ] = False
    further_runs: Annotated[
        list[str] | None,
        typer.Option(
            "--run",
            metavar="NAME=FILE",
            help="A further run of a system that --hyp names, if its answers differ from run to run; repeat. Runs of "
            "a segment are averaged.",
            rich_help_panel=Panel.RUNS,
        ),
    ] = None
    groups: Annotated[
        list[str] | None,
        typer.Option(
            help="Results by group, in CSV instead of the whole: with --table or --ids-table a column, with folders a "
            "regular expression on paths with named groups, as '^(?P<book>[^/]+)/'; repeat.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = None

    @property
    def are_given(self) -> bool:
        """Whether texts are named, and not those of the project meant."""
        return bool(self.files or self.ref or self.hyp or self.table or self.paths_table)

    def has(self, name: str) -> bool:
        """Whether an option was given."""
        default = next(option.default for option in fields(self) if option.name == name)
        return getattr(self, name) not in (None, [], default)

    def require_none(self) -> None:
        """Refuse options on how to read texts where none are named."""
        options = [setting(option.name) for option in fields(self) if self.has(option.name)]
        if options:
            raise ConfigurationError(f"{', '.join(options)}: for texts of your own; {HOW_TO_NAME}")

    @cached_property
    def chosen_normalizer(self) -> Normalizer:
        """The normalizer of both sides."""
        return make_normalizer(self.normalizer)

    @property
    def ids(self) -> list[str]:
        """Columns of segment ids."""
        return split_list(self.segment_id, option=setting("segment_id"))
