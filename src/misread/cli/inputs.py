"""References and hypotheses as commands name them: files, folders, or columns of a table; declared and read once."""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, cast, get_type_hints

import typer

from misread.cli.help_pages import Panel
from misread.cli.normalizer_option import describe_normalizer, make_normalizer
from misread.cli.options import named_values, split_list, use_own_module
from misread.data.example import find_example
from misread.data.formats import FORMATS, TABLES
from misread.data.formats.base import SEGMENTED, Hyphens, Level, TextOf
from misread.errors import ConfigurationError, UnknownNameError, setting

if TYPE_CHECKING:
    from misread.data.formats.base import Format
    from misread.data.formats.log import Log
    from misread.data.formats.paired_files import FolderOptions
    from misread.data.segment_table import MissingPolicy, SegmentTable
    from misread.metrics import Metric
    from misread.normalize import Normalizer

_HOW_TO_NAME: Final = f"give REF HYP [HYP ...], or {setting('ref', 'FILE')} and {setting('hyp', 'NAME=FILE')}."
_HOW_TO_NAME_COLUMNS: Final = (
    f"{setting('table')} needs the columns of texts: {setting('ref', 'COLUMN')} and {setting('hyp', 'NAME=COLUMN')}."
)
_HOW_TO_NAME_PATHS: Final = (
    f"{setting('paths_table')} has columns of paths: name {setting('ref', 'COLUMN')} and "
    f"{setting('hyp', 'NAME=COLUMN')}, or of two columns none."
)


def _require_known(name: str | None) -> str | None:
    """Refuse a name that is neither a format nor dotted, in the words for any other choice."""
    if name and "." not in name and name not in FORMATS:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(map(repr, FORMATS))}.")
    return name


class Empty(StrEnum):
    """What an empty cell is."""

    TEXT = "text"
    MISSING = "missing"


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What is to be read, and how: the options of every command that takes files."""

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
            help="Table with one row per segment: .csv, .tsv, .jsonl or .parquet.",
        ),
    ] = None
    segment_id: Annotated[
        str | None,
        typer.Option("--id", help="Columns of segment ids of --table, joined by commas, or of --ids-table."),
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
            help="Normalizer of both sides: a name (`misread list normalizers`), a YAML file, or steps: nfc,lower_case."
        ),
    ] = "none"
    missing: Annotated[str, typer.Option(help="If one side lacks a segment: error, drop or empty.")] = "error"
    system_column: Annotated[
        str | None,
        typer.Option(
            help="With --table: column that names the system of a row, if there is a row for every segment and system; "
            "--hyp names the one column of texts.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    asr_log: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Log of a recognizer (JSON array, JSON Lines, or separated by ;) with reference_text and asr_output, "
            "or the columns that --ref and --hyp name.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    ids_table: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Table with one row per segment or file, found by its id (column id, or --id); --cluster and --group "
            "name columns of it.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    paths_table: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Table of files that belong together, by paths from its folder: --ref and --hyp name columns (of two "
            "columns the first has references), and so do --id, --cluster and --group.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            callback=_require_known,
            help=f"Of files: {', '.join(FORMATS)}, or the dotted name of your own; `misread list formats` says what "
            "each is and what segments are paired by. By default it is recognised by the content where that is "
            "certain; else it is lines for files and text for folders.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    reference_format: Annotated[
        str | None,
        typer.Option(
            "--ref-format",
            metavar="NAME",
            callback=_require_known,
            help="Format of the references alone, if the hypotheses have another one: both of pages, or both of "
            "segments with times.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    hypothesis_format: Annotated[
        str | None,
        typer.Option(
            "--hyp-format",
            metavar="NAME",
            callback=_require_known,
            help="Format of the hypotheses alone, if the references have another one.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    verbatim: Annotated[
        bool,
        typer.Option(
            "--verbatim",
            help="Of files without --table: take them as plain text even if they look like another format (XML, JSON, "
            "SRT). Metrics of answers do so by themselves.",
            rich_help_panel=Panel.FILES,
        ),
    ] = False
    encoding: Annotated[
        str,
        typer.Option(
            help="Encoding of text files, such as latin-1 or cp1252; a byte order mark overrides it.",
            rich_help_panel=Panel.FILES,
        ),
    ] = "utf-8"
    empty: Annotated[
        Empty,
        typer.Option(
            help="With --table: whether an empty cell of CSV and TSV is an empty text or a missing one.",
            rich_help_panel=Panel.FILES,
        ),
    ] = Empty.TEXT
    annotations: Annotated[
        list[str] | None,
        typer.Option(
            help="JSON Lines with what some metrics need beside the texts, by id: FILE for the references, NAME=FILE "
            'for a system, as {"id": "1", "confidence": [0.9, 0.5]}; repeat.',
            rich_help_panel=Panel.FILES,
        ),
    ] = None
    ocr: Annotated[
        str | None,
        typer.Option(
            help="With --table: column of recognized text that the systems corrected.", rich_help_panel=Panel.FILES
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
    reference_suffix: Annotated[
        str,
        typer.Option(
            "--ref-suffix",
            help="Of folders: end of the names of references, such as .gt.txt, which does not count when files are "
            "paired.",
            rich_help_panel=Panel.FOLDERS,
        ),
    ] = ""
    hypothesis_suffix: Annotated[
        str,
        typer.Option(
            "--hyp-suffix",
            help="Of folders: end of the names of hypotheses, such as _ocr.xml, which does not count when files are "
            "paired.",
            rich_help_panel=Panel.FOLDERS,
        ),
    ] = ""
    reference_pattern: Annotated[
        str,
        typer.Option(
            "--ref-pattern",
            help="Of folders: names of references with one *, such as 'gt_*.txt': files are paired by what it stands "
            "for, and by their folders.",
            rich_help_panel=Panel.FOLDERS,
        ),
    ] = ""
    hypothesis_pattern: Annotated[
        str,
        typer.Option(
            "--hyp-pattern",
            help="Of folders: names of hypotheses with one *, such as 'page-*.out'.",
            rich_help_panel=Panel.FOLDERS,
        ),
    ] = ""
    level: Annotated[
        Level,
        typer.Option(
            help="Of pages with layout: what a segment is; regions, lines and words are paired by their ids.",
            rich_help_panel=Panel.PAGES,
        ),
    ] = "page"
    text_of: Annotated[
        TextOf,
        typer.Option(
            help="Of PAGE-XML: elements whose own text is read; one without text gets that of the elements in it.",
            rich_help_panel=Panel.PAGES,
        ),
    ] = "region"
    hyphens: Annotated[
        Hyphens,
        typer.Option(
            help="Of ALTO: words divided at the end of a line as they are printed (kept), or whole (joined).",
            rich_help_panel=Panel.PAGES,
        ),
    ] = "kept"
    resegment: Annotated[
        bool,
        typer.Option(
            "--resegment",
            help="If both sides are cut into different segments: align the words of every recording (of lines: of the "
            "file), and cut the hypothesis where the references are cut; part of the signature.",
            rich_help_panel=Panel.SPEECH,
        ),
    ] = False
    alternatives: Annotated[
        Path | None,
        typer.Option(
            help="With --format nlp: folder of STEM.norm.json with other readings of the references.",
            rich_help_panel=Panel.SPEECH,
        ),
    ] = None
    entities: Annotated[
        Path | None,
        typer.Option(
            help="With --format nlp: folder of STEM.wer_tag.json with the labels of entities, else column tags.",
            rich_help_panel=Panel.SPEECH,
        ),
    ] = None
    optional_words: Annotated[
        bool,
        typer.Option(
            "--optional-words",
            help="Of formats with alternatives: a word of a reference in parentheses may be left out; with "
            "alignment=sclite, which implies it, one of a hypothesis too, as for sclite -D.",
            rich_help_panel=Panel.SPEECH,
        ),
    ] = False
    run: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE",
            help="A further run of a system that --hyp names, if its answers differ from run to run; repeat. Runs of "
            "a segment are averaged.",
            rich_help_panel=Panel.RUNS,
        ),
    ] = None
    run_column: Annotated[
        str | None,
        typer.Option(
            help="With --table: column that names the run of a row; there is a row for every segment and run.",
            rich_help_panel=Panel.RUNS,
        ),
    ] = None
    request_column: Annotated[
        str | None,
        typer.Option(
            help="With --run-column: column of request ids; one that occurs twice is refused, since a cache has "
            "answered.",
            rich_help_panel=Panel.RUNS,
        ),
    ] = None
    groups: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            help="Results by group, in CSV instead of the whole: with --table or --ids-table a column, with folders a "
            "regular expression on paths with named groups, as '^(?P<book>[^/]+)/'; repeat.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = None

    @functools.cached_property
    def logs(self) -> Mapping[str, Log]:
        """Logs by system, which have references of their own; none if files of one side each are given."""
        if self.are_columns or self.ref is not None or not (self.files or self.hyp):
            return {}
        systems = named_values(self.hyp, expected="NAME=FILE") if self.hyp else {}
        paths = [_here(source, "files" if self.files else "--hyp") for source in self.files or systems.values()]
        form = self.formats[1] if self.format or self.hypothesis_format else None
        formats = [form or self._guess(path) for path in paths]
        if not any(form and form.kind == "log" for form in formats):
            return {}
        other = next((path for path, form in zip(paths, formats, strict=True) if not form or form.kind != "log"), None)
        if other is not None:
            what = "no log" if other.is_file() and other.stat().st_size else "empty" if other.is_file() else "no file"
            raise ConfigurationError(
                f"{other} is {what}, and the other files are logs, which have references of their own: give logs alone."
            )
        from misread.data import name_logs, read_log

        logs = [read_log(path, form, encoding=self.encoding) for path, form in zip(paths, formats, strict=True) if form]
        return name_logs(logs, list(systems) or [""] * len(logs))

    def usual_metrics(self) -> list[str]:
        """Names of the metrics where none are named: recorded scores of logs, else error rates."""
        if not self.logs:
            return ["cer", "wer"]
        from misread.data import find_score
        from misread.sockets.names import write_name

        return [write_name("recorded", find_score(self.logs))]

    @property
    def are_given(self) -> bool:
        """Whether texts are named, and not those of the project meant."""
        return bool(self.files or self.ref or self.hyp or self.table or self.asr_log or self.paths_table)

    @functools.cached_property
    def columns_of(self) -> Path | None:
        """File whose columns the options name."""
        if self.asr_log is not None and self.table is not None:
            raise ConfigurationError(
                f"{setting('asr_log')} is read as a table; give it or {setting('table')}, not both."
            )
        if self.table is not None:
            return _here(self.table, "--table")
        return None if self.asr_log is None else _here(self.asr_log, "--asr-log")

    @property
    def are_columns(self) -> bool:
        """Whether the options of references and systems name columns."""
        return self.columns_of is not None or self.paths_table is not None

    @functools.cached_property
    def _paths_of(self) -> Path | None:
        """Table of paths."""
        if self.paths_table is None:
            return None
        if self.columns_of is not None or self.ids_table is not None:
            other = "table" if self.table else "asr_log" if self.asr_log else "ids_table"
            raise ConfigurationError(
                f"{setting('paths_table')} has ids and labels of its own: leave out {setting(other)}."
            )
        return _here(self.paths_table, "--paths-table")

    def require_none(self) -> None:
        """Refuse options on how to read texts where none are named."""
        options = [setting(option.name) for option in fields(self) if self._has(option.name)]
        if options:
            raise ConfigurationError(f"{', '.join(options)}: for texts of your own; {_HOW_TO_NAME}")

    @functools.cached_property
    def chosen_normalizer(self) -> Normalizer:
        """The normalizer of both sides."""
        return make_normalizer(self.normalizer)

    @functools.cached_property
    def formats(self) -> tuple[Format | None, Format | None]:
        """Formats of both sides; None where none was given."""
        if self.format and (self.reference_format or self.hypothesis_format):
            raise ConfigurationError(
                f"{setting('format')} sets both sides; use it, or {setting('reference_format')} and "
                f"{setting('hypothesis_format')}."
            )
        reference, hypothesis = (
            _find_format(name) if name else None
            for name in (self.reference_format or self.format, self.hypothesis_format or self.format)
        )
        if hypothesis is not None and hypothesis.kind == "log" and reference == hypothesis:
            return reference, hypothesis
        if not self.resegment and all(form is None or form.kind == "pages" for form in (reference, hypothesis)):
            return reference, hypothesis
        from misread.data.segment_files import check_formats

        reference, hypothesis = reference or FORMATS["lines"], hypothesis or FORMATS["lines"]
        check_formats(reference, hypothesis, cut_again=self.resegment)
        return reference, hypothesis

    @functools.cached_property
    def sides(self) -> tuple[str, dict[str, str]]:
        """Paths or columns of the references and of each system; of an address the path of its copy."""
        reference, systems = self._named_sides
        if self.are_columns or self.logs:
            return reference, systems
        options = ("files", "files") if self.files else ("--ref", "--hyp")
        return str(_here(reference, options[0])), {name: str(_here(at, options[1])) for name, at in systems.items()}

    def without_references(self) -> Inputs:
        """Return these inputs with ids, or the texts of the first system, in the place of references nobody uses."""
        if self.logs or self.files or self.ref is not None or not self.hyp or self.asr_log or self.paths_table:
            return self
        ids = split_list(self.segment_id, option="--id") if self.segment_id and self.table else []
        return replace(self, ref=ids[0] if ids else self.hyp[0].partition("=")[2])

    @functools.cached_property
    def _named_sides(self) -> tuple[str, dict[str, str]]:
        """Paths, addresses or columns of the references and of each system, as they are given."""
        if self.files and (self.ref or self.hyp or self.are_columns):
            raise ConfigurationError(
                f"give files as they are, REF HYP [HYP ...], or with {setting('ref')} and {setting('hyp')}; not both."
            )
        if self.logs:
            return "", {name: log.source for name, log in self.logs.items()}
        if self.files:
            return _name_files(self.files)
        ref, hyp = self.ref, self.hyp
        if self._paths_of is not None and ref is None and not hyp:
            from misread.data.paths_table import name_columns

            return name_columns(self._paths_of, encoding=self.encoding)
        if self.asr_log is not None:
            from misread.data.formats.asr_log import HYPOTHESIS, REFERENCE

            ref, hyp = ref or REFERENCE, hyp or [f"asr={HYPOTHESIS}"]
        if ref is None or not hyp:
            how = _HOW_TO_NAME_COLUMNS if self.table else _HOW_TO_NAME_PATHS if self.paths_table else _HOW_TO_NAME
            raise ConfigurationError(how)
        if self.system_column:
            if len(hyp) > 1 or "=" in hyp[0]:
                raise ConfigurationError(
                    f"{setting('hyp', hyp[-1])}: the systems are named by {setting('system_column')}; name the one "
                    f"column of their texts, {setting('hyp', 'COLUMN')}."
                )
            return ref, {hyp[0]: hyp[0]}
        return ref, named_values(hyp, expected="NAME=FILE, or with --table NAME=COLUMN")

    @functools.cached_property
    def runs(self) -> dict[str, dict[str, str]]:
        """Path or column of every run, by system, for systems with several runs; runs are numbered from 1."""
        _, systems = self._named_sides
        runs: dict[str, dict[str, str]] = {}
        for entry in self.run or []:
            ((system, source),) = named_values([entry], option="--run", expected="NAME=FILE").items()
            if system not in systems:
                raise UnknownNameError(
                    "system", system, systems, where=f"{setting('run')}; {setting('hyp')} names the first run of each"
                )
            sources = runs.setdefault(system, {"1": systems[system]})
            if source in sources.values():
                raise ConfigurationError(
                    f"{setting('run')} {entry!r}: {source} is a run of {system} already; the same texts are no "
                    "further run."
                )
            sources[str(len(sources) + 1)] = source
        return runs

    @property
    def group_columns(self) -> list[str]:
        """Names of the columns that results are grouped by, before anything is read."""
        if self.are_columns or self.logs:
            return list(self.groups or [])
        return [name for pattern in self.groups or [] for name in re.findall(r"\(\?P?<(\w+)>", pattern)]

    def of_example(self) -> Inputs:
        """The inputs of the example that misread brings; raises ConfigurationError if others are given as well."""
        for name in ("files", "ref", "hyp", "table", "segment_id", "cluster"):
            if getattr(self, name):
                raise ConfigurationError(f"{setting('example', True)} brings its own data; leave out {setting(name)}.")
        systems = ["Tesseract=tesseract", "RapidOCR=rapidocr"]
        return replace(self, table=str(find_example()), segment_id="id", ref="text", hyp=systems, cluster="document")

    def spelled_out(self) -> str:
        """The options of a table, as one would write them."""
        table = os.path.relpath(str(self.table))
        systems = " ".join(f"--hyp {system}" for system in self.hyp or ())
        return f"--table {table} --id {self.segment_id} --ref {self.ref} {systems} --cluster {self.cluster}"

    def check(self) -> None:
        """Refuse options that do not go together, before anything is read."""
        hypothesis = self.formats[1]
        for option in ("optional_words", "alternatives", "entities"):
            takes = hypothesis is not None and option in hypothesis.options and not self.resegment
            if self._has(option) and not takes:
                takers = " or ".join(form.as_options for form in FORMATS.values() if option in form.options)
                raise ConfigurationError(f"{setting(option)} goes with {takers}.")
        for rule in _RULES:
            if any(map(self._has, rule.options)) and not rule.fits(self):
                raise ConfigurationError(rule.refusal)
        if hypothesis is not None and hypothesis.kind == "lines" and self.are_folders:
            raise ConfigurationError(
                f"folders are paired file by file; use {setting('format', 'text')} (the default) or nlp."
            )

    def _has(self, name: str) -> bool:
        """Whether an option was given."""
        default = next(option.default for option in fields(self) if option.name == name)
        return getattr(self, name) not in (None, [], default)

    @functools.cached_property
    def are_folders(self) -> bool:
        """Whether texts are files of folders."""
        reference, systems = self.sides
        sides = (reference, *systems.values())
        return not self.are_columns and not self.logs and any(Path(side).is_dir() for side in sides)

    @property
    def have_labels(self) -> bool:
        """Whether there is a table, or are logs, with columns of clusters and groups."""
        return self.are_columns or self.ids_table is not None or bool(self.logs)

    @property
    def have_ids(self) -> bool:
        """Whether `--cluster` is an expression on ids."""
        form = self.formats[1]
        if form is None or not form.has_segments or form.kind == "lines":
            return self.resegment
        return self.resegment or form.pair is None or "cluster" in form.options

    def read(
        self,
        metrics: Sequence[Metric] = (),
        *,
        optional_words: bool = False,
        scored: bool = True,
        measured: Mapping[str, str] | None = None,
    ) -> SegmentTable:
        """Read everything, or raise as `check`.

        The metrics that will be counted decide how files are read: sessions for those of speakers, texts that may be
        JSON or XML for those of answers. `optional_words` is for what other options imply; where texts are shown and
        not `scored`, hypotheses may be missing. `measured` are columns of a table with one row per system.
        """
        needed = _Needs(
            optional_words=optional_words or self.optional_words,
            verbatim=self.verbatim or any(metric.input_kind == "markup" for metric in metrics),
            sessions=any(metric.input_kind == "sessions" for metric in metrics),
            scored=scored,
            measured=measured or {},
        )
        table = self._read_texts(needed)
        if not self.annotations:
            return table
        from misread.data import annotate

        entries = [entry if "=" in entry else f"references={entry}" for entry in self.annotations]
        files = named_values(entries, option="--annotations", expected="FILE or NAME=FILE")
        return annotate(table, {name: Path(file) for name, file in files.items()}, encoding=self.encoding)

    def _read_texts(self, needed: _Needs) -> SegmentTable:
        from misread import data as datasets
        from misread.data.segment_table import MissingPolicy
        from misread.io.checks.choices import check_choice

        self.check()
        check_choice("policy for missing hypotheses", self.missing, MissingPolicy)
        if self.logs:
            return datasets.join_logs(self.logs, cluster=self.cluster or "", groups=self.groups or [])
        reference, systems = self.sides
        if self.runs:
            names = {system: {run: f"{system}, run {run}" for run in sources} for system, sources in self.runs.items()}
            for system, sources in self.runs.items():
                sources_by_name = {names[system][run]: self._place_of_run(source) for run, source in sources.items()}
                systems = {
                    key: value
                    for name, source in systems.items()
                    for key, value in (sources_by_name if name == system else {name: source}).items()
                }
            table = self._read(reference, systems, needed)
            return datasets.gather_runs(table, names)
        return self._read(reference, systems, needed)

    def _place_of_run(self, source: str) -> str:
        return source if self.are_columns else str(_here(source, "--run"))

    def _read(self, reference: str, systems: Mapping[str, str], needed: _Needs) -> SegmentTable:
        from misread import data as datasets

        if self.columns_of is not None:
            return datasets.read_table(
                self.columns_of,
                reference,
                systems,
                segment_id=split_list(self.segment_id, option="--id"),
                cluster=self.cluster or "",
                groups=self.groups or [],
                empty=self.empty.value,
                missing=cast("MissingPolicy", self.missing),
                encoding=self.encoding,
                is_asr_log=self.asr_log is not None,
                runs=datasets.RunColumns(self.run_column, self.request_column or "") if self.run_column else None,
                ocr=self.ocr or "",
                system=self.system_column or "",
                measured=needed.measured,
            )
        if self._paths_of is not None:
            return datasets.read_paths_table(
                self._paths_of,
                reference,
                systems,
                segment_id=split_list(self.segment_id, option="--id"),
                cluster=self.cluster or "",
                groups=self.groups or [],
                options=self._folder_options(scored=needed.scored),
                verbatim=needed.verbatim,
                encoding=self.encoding,
            )
        table = self._read_files(Path(reference), {name: Path(file) for name, file in systems.items()}, needed)
        if self.ids_table is None:
            return table
        return datasets.with_labels(
            table,
            _here(self.ids_table, "--ids-table"),
            id_column=self.segment_id or "id",
            cluster=self.cluster or "",
            groups=self.groups or [],
            encoding=self.encoding,
        )

    def are_pages(self, *, verbatim: bool) -> bool:
        """Whether files are of one page each: folders, a format that says so, or content that is of no other."""
        if self.columns_of is not None or any(form and form.kind != "pages" for form in self.formats):
            return False
        if any(self.formats) or self.are_folders or self.paths_table is not None:
            return True
        return self.level != "page" or (not verbatim and any(self._guessed.values()))

    @functools.cached_property
    def _guessed(self) -> Mapping[Path, Format | None]:
        """Formats of files of one page by what their content says beyond doubt; each is looked at once."""
        reference, systems = self.sides
        paths = [Path(source) for source in dict.fromkeys((reference, *systems.values()))]
        formats = {path: self._guess(path) for path in paths if path.is_file()}
        return {path: form if form and form.kind == "pages" else None for path, form in formats.items()}

    def _guess(self, path: Path) -> Format | None:
        """Format of a page or a log by its content; each file is looked at once."""
        from misread.data.formats.recognition import guess_format

        if path not in self._looked_at:
            self._looked_at[path] = guess_format(path, kinds=("pages", "log"))
        return self._looked_at[path]

    @functools.cached_property
    def _looked_at(self) -> dict[Path, Format | None]:
        return {}

    def _read_files(self, path: Path, paths: Mapping[str, Path], needed: _Needs) -> SegmentTable:
        """Read texts that are files or folders."""
        from misread import data as datasets

        (reference, hypothesis), options = self.formats, self._folder_options(scored=needed.scored)
        if reference and hypothesis and hypothesis.kind != "pages":
            return self._read_segments(path, paths, needed, reference, hypothesis, options)
        if self.are_pages(verbatim=needed.verbatim):
            guessed = {} if needed.verbatim or all(self.formats) else self._guessed
            return datasets.read_folders(
                path, paths, options, verbatim=needed.verbatim, encoding=self.encoding, guessed=guessed
            )
        return datasets.read_files(path, paths, verbatim=needed.verbatim, encoding=self.encoding)

    def _read_segments(
        self,
        path: Path,
        paths: Mapping[str, Path],
        needed: _Needs,
        reference: Format,
        hypothesis: Format,
        options: FolderOptions,
    ) -> SegmentTable:
        from misread import data as datasets

        sessions = needed.sessions and reference.has_turns and hypothesis.has_turns
        if sessions and self.resegment:
            raise ConfigurationError(
                f"metrics of speakers count whole sessions, in which {setting('resegment')} changes nothing: leave "
                "it out, or name other metrics."
            )
        return datasets.read_segment_files(
            path,
            paths,
            reference,
            hypothesis,
            sessions=sessions,
            cut_again=self.resegment,
            cluster=options.cluster,
            # Words are compared as they are scored.
            key=self.chosen_normalizer if self.resegment else None,
            encoding=self.encoding,
            optional_words=needed.optional_words,
            alternatives=self.alternatives,
            entities=self.entities,
            verbatim=needed.verbatim,
            options=options,
        )

    def facts(self) -> dict[str, object]:
        """What the configuration of a run says of them."""
        reference, systems = self._named_sides
        table = self.table or self.asr_log or self.paths_table
        return {
            "references": {"table": table, "column": reference} if table else reference,
            "hypotheses": dict(systems),
            **({"runs": self.runs} if self.runs else {}),
            **({"run_column": self.run_column} if self.run_column else {}),
            **({"system_column": self.system_column} if self.system_column else {}),
            "segment_id": split_list(self.segment_id, option="--id"),
            "cluster": self.cluster,
            "groups": list(self.groups or []),
            "ids_table": self.ids_table,
            "pattern": list(self.patterns or []),
            "suffixes": [self.reference_suffix, self.hypothesis_suffix],
            **({"names": names} if any(names := [self.reference_pattern, self.hypothesis_pattern]) else {}),
            "formats": None if self.columns_of else [form.name for form in self.formats if form],
            "resegment": self.resegment,
            "level": self.level,
            "text_of": self.text_of,
            "hyphens": self.hyphens,
            "alternatives": str(self.alternatives) if self.alternatives else None,
            "entities": str(self.entities) if self.entities else None,
            "optional_words": self.optional_words,
            "encoding": self.encoding,
            "annotations": list(self.annotations or []),
            "ocr": self.ocr,
            "empty": self.empty.value,
            "normalizer": describe_normalizer(self.chosen_normalizer),
            "missing": self.missing,
        }

    def _folder_options(self, *, scored: bool) -> FolderOptions:
        from misread.data import FolderOptions

        pages = [form if form and form.kind == "pages" else "" for form in self.formats]
        return FolderOptions(
            patterns=self.patterns or [],
            reference_suffix=self.reference_suffix,
            hypothesis_suffix=self.hypothesis_suffix,
            reference_pattern=self.reference_pattern,
            hypothesis_pattern=self.hypothesis_pattern,
            reference_format=pages[0],
            hypothesis_format=pages[1],
            level=self.level,
            text_of=self.text_of,
            hyphens=self.hyphens,
            cluster="" if self.have_labels else self.cluster or "",
            groups=[] if self.have_labels else self.groups or [],
            missing=None if self.missing == "error" and not scored else cast("MissingPolicy", self.missing),
        )


class _Rule(NamedTuple):
    """Options that need other options: whether they fit the rest, and the message if they do not."""

    options: tuple[str, ...]
    fits: Callable[[Inputs], bool]
    refusal: str


_NAME_COLUMNS: Final = (
    f"{setting('segment_id')}, {setting('cluster')} and {setting('groups')} name columns of "
    f"{setting('table', 'FILE')}, {setting('paths_table', 'FILE')} or {setting('ids_table', 'FILE')}. With folders, "
    f"{setting('cluster')} and {setting('groups')} are regular expressions on paths; with {setting('format', 'trn')} "
    f"and others that have ids, {setting('cluster')} is one on ids."
)
_RULES: Final = (
    _Rule(
        ("resegment",),
        lambda inputs: not inputs.are_columns and not inputs.logs,
        f"{setting('resegment')} is for files of segments; rows of a table or a log are paired as they are.",
    ),
    _Rule(
        ("system_column",),
        lambda inputs: inputs.columns_of is not None and not inputs.run,
        f"{setting('system_column')} names a column of {setting('table')}; leave out {setting('run')}.",
    ),
    _Rule(
        ("paths_table",),
        lambda inputs: all(form is None or form.kind == "pages" for form in inputs.formats),
        f"{setting('paths_table')} pairs files that are one text or page each: name a {setting('format')} of these, or "
        "none.",
    ),
    _Rule(
        ("run_column",),
        lambda inputs: inputs.columns_of is not None and not inputs.runs,
        f"{setting('run_column')} names a column of {setting('table')}; leave out {setting('run')}.",
    ),
    _Rule(
        ("request_column",),
        lambda inputs: bool(inputs.run_column),
        f"{setting('request_column')} needs {setting('run_column')}: it is about rows of several runs.",
    ),
    _Rule(
        ("empty",),
        lambda inputs: inputs.columns_of is not None,
        f"{setting('empty')} is about cells: it needs {setting('table', 'FILE')}.",
    ),
    _Rule(
        ("ocr",),
        lambda inputs: inputs.columns_of is not None,
        f"{setting('ocr')} names a column: it needs {setting('table', 'FILE')}; else give "
        f"{setting('annotations')} with ocr.",
    ),
    _Rule(
        ("ocr",),
        lambda inputs: not (inputs.run_column or inputs.system_column),
        f"{setting('ocr')} goes neither with {setting('run_column')} nor with {setting('system_column')}: it is for "
        "tables with one row per segment.",
    ),
    _Rule(
        ("patterns", "reference_suffix", "hypothesis_suffix", "reference_pattern", "hypothesis_pattern"),
        lambda inputs: inputs.are_folders,
        f"{setting('patterns')}, {setting('reference_suffix')}, {setting('hypothesis_suffix')}, "
        f"{setting('reference_pattern')} and {setting('hypothesis_pattern')} choose files in folders: give folders.",
    ),
    _Rule(
        ("level", "text_of", "hyphens"),
        lambda inputs: inputs.are_pages(verbatim=inputs.verbatim),
        f"{setting('level')}, {setting('text_of')} and {setting('hyphens')} are about pages with layout: give "
        f"such files, or name their {setting('format')}.",
    ),
    _Rule(
        ("ids_table",),
        lambda inputs: bool(inputs.cluster or inputs.groups),
        f"{setting('ids_table')} needs {setting('cluster', 'COLUMN')} or {setting('groups', 'COLUMN')}: the columns "
        "to take from it.",
    ),
    _Rule(
        ("ids_table",),
        lambda inputs: inputs.columns_of is None,
        f"{setting('ids_table')} is for files without columns; with {setting('table')}, name columns of that table.",
    ),
    _Rule(
        ("segment_id", "ids_table", "run"),
        lambda inputs: not inputs.logs,
        f"{setting('segment_id')}, {setting('ids_table')} and {setting('run')} are not for logs, which have ids and "
        "runs of their own.",
    ),
    _Rule(("segment_id",), lambda inputs: inputs.have_labels, _NAME_COLUMNS),
    _Rule(("groups",), lambda inputs: inputs.have_labels or inputs.are_folders, _NAME_COLUMNS),
    _Rule(("cluster",), lambda inputs: inputs.have_labels or inputs.are_folders or inputs.have_ids, _NAME_COLUMNS),
    _Rule(
        ("entities",),
        lambda inputs: not inputs.alternatives,
        f"{setting('entities')} goes without {setting('alternatives')}.",
    ),
)


def _find_format(name: str) -> Format:
    from misread.data.formats import find_format

    use_own_module(name)
    return find_format(name, kinds=(*SEGMENTED, "pages", "log"))


class _Needs(NamedTuple):
    """What other options and the chosen metrics need of texts."""

    optional_words: bool
    verbatim: bool
    sessions: bool
    scored: bool
    measured: Mapping[str, str]


def takes_inputs(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Inputs` in the place of its parameter `inputs`, but those that are its own."""
    signature = inspect.signature(command, eval_str=True)
    options = [
        inspect.Parameter(
            option.name,
            signature.parameters["inputs"].kind,
            default=None if option.default is MISSING else option.default,
            annotation=hint,
        )
        for option, hint in zip(fields(Inputs), _hints().values(), strict=True)
        if option.name not in signature.parameters
    ]

    @functools.wraps(command)
    def with_options(**arguments: Any) -> None:
        inputs = Inputs(**{option.name: arguments.pop(option.name) for option in options})
        command(inputs=inputs, **arguments)

    parameters = []
    for parameter in signature.parameters.values():
        parameters += options if parameter.name == "inputs" else [parameter]
    with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return with_options


def _hints() -> Mapping[str, Any]:
    hints = get_type_hints(Inputs, include_extras=True)
    return {option.name: hints[option.name] for option in fields(Inputs)}


def _name_files(files: Sequence[str]) -> tuple[str, dict[str, str]]:
    if len(files) < 2 and any(Path(files[0]).suffix.lower() in form.endings for form in TABLES.values()):
        raise ConfigurationError(
            f"{files[0]} is a table: give {setting('table', files[0])}, {setting('ref', 'COLUMN')} and "
            f"{setting('hyp', 'NAME=COLUMN')}."
        )
    if len(files) < 2:
        raise ConfigurationError(f"{files[0]} is the reference; give the file of at least one system after it.")
    names = [_name_system(_here(file, "files")) for file in files[1:]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigurationError(
            f"two systems would be called {twice[0]!r}; name them with {setting('hyp', 'NAME=FILE')}."
        )
    return files[0], dict(zip(names, files[1:], strict=True))


@functools.cache
def _here(source: str, option: str) -> Path:
    """Path of a file or folder; of an address that of its copy, which is looked up once."""
    from misread.storage.remote import fetch_path

    return fetch_path(source, setting=option)


def _name_system(path: Path) -> str:
    """Name of a folder, whole; that of a file without its ending, but a version is not an ending (`gemini-2.0`)."""
    if path.is_dir():
        return path.resolve().name
    return path.name if path.suffix[1:].isdecimal() else path.stem
