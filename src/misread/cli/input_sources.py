"""Sources of texts: options resolved to files, columns and formats, and addresses to copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from misread.cli.input_options import ASR_LOG, HOW_TO_NAME, KINDS, InputOptions
from misread.cli.options import named_values, use_own_module
from misread.data.formats import FORMATS, TABLES, find_format
from misread.data.formats.base import Format
from misread.data.table_columns import BRACKETS, TableColumns
from misread.errors import ConfigurationError, setting
from misread.io.checks.choices import check_choice
from misread.io.checks.settings import check_types
from misread.io.names import bare_name, split_settings

if TYPE_CHECKING:
    from misread.data.formats.log import Log

_HOW_TO_NAME_COLUMNS: Final = (
    f"{setting('table')} needs the columns of texts: {setting('ref', 'COLUMN')} and {setting('hyp', 'NAME=COLUMN')}."
)
_HOW_TO_NAME_PATHS: Final = (
    f"{setting('paths_table')} has columns of paths: name {setting('ref', 'COLUMN')} and "
    f"{setting('hyp', 'NAME=COLUMN')}, or of two columns none."
)
_Sides = tuple[str, dict[str, str]]
Formats = tuple[Format | None, Format | None]
"""Formats of references and of hypotheses; None where none is known."""


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Sources that options name: columns of a table, paths of the references and of each system, or logs."""

    reference: str = ""  # a path or column
    first_runs: Mapping[str, str] = field(default_factory=dict)  # paths or columns by system
    runs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of systems with several, by system and run
    table: Path | None = None
    columns: TableColumns | None = None  # of `table`
    paths_table: Path | None = None
    ids_table: Path | None = None
    formats: Formats = (None, None)  # where they are given
    recognised: Mapping[Path, Format | None] = field(default_factory=dict)  # files by content, where that is certain
    logs: Mapping[str, Log] = field(default_factory=dict)

    @cached_property
    def systems(self) -> dict[str, str]:
        """Paths or columns by system, or by system and run."""
        return {
            name_run(system, run) if run else system: source
            for system, first in self.first_runs.items()
            for run, source in self.runs.get(system, {"": first}).items()
        }

    @property
    def are_files(self) -> bool:
        """Whether both sides are files or folders."""
        return not (self.table or self.paths_table or self.logs)

    @cached_property
    def are_folders(self) -> bool:
        """Whether texts are files of folders."""
        return self.are_files and any(Path(side).is_dir() for side in (self.reference, *self.systems.values()))

    @property
    def have_labels(self) -> bool:
        """Whether there is a table, or are logs, with columns of clusters and groups."""
        return not self.are_files or self.ids_table is not None

    def choose_formats(self, *, verbatim: bool, resegment: bool) -> Formats:
        """Formats of both sides: those that are given, else recognised ones; None for pages and plain text.

        Raises ConfigurationError if the two are not scored against each other.
        """
        from misread.data.segment_files import check_formats

        reference, hypothesis = self.formats
        if not verbatim:
            reference = reference or self._segments_of([Path(self.reference)])
            hypothesis = hypothesis or self._segments_of([Path(path) for path in self.systems.values()])
        both = (reference, hypothesis)
        if not self.are_files or (not resegment and all(form is None or form.kind == "pages" for form in both)):
            return both
        lines = FORMATS["lines"]
        check_formats(reference or lines, hypothesis or lines, cut_again=resegment)
        return reference or lines, hypothesis or lines

    def _segments_of(self, paths: Sequence[Path]) -> Format | None:
        """The format that the files of one side are recognised as, if it is one of segments."""
        formats = {path: self.recognised.get(path) for path in paths}
        path, form = next(
            ((path, form) for path, form in formats.items() if form and form.kind not in ("pages", "log")), ("", None)
        )
        other = next((other for other, form_of_other in formats.items() if form_of_other != form), None)
        if form and other:
            raise ConfigurationError(
                f"{path} is {form.label} and {other} is {getattr(formats[other], 'label', 'not recognised as that')}: "
                f"give outputs of one format, or name it, {form.as_options}."
            )
        return form


def find_sources(inputs: InputOptions, logs: Mapping[str, Log], recognised: Mapping[Path, Format | None]) -> Sources:
    """Find what the options name; raises ConfigurationError if they name nothing, or too much."""
    formats = _read_formats(inputs)
    if logs:
        return Sources(first_runs={name: log.source for name, log in logs.items()}, formats=formats, logs=logs)
    for option in ("table", "paths_table"):
        if inputs.files and (inputs.ref or inputs.hyp or getattr(inputs, option)):
            raise ConfigurationError(
                f"give files as they are, REF HYP [HYP ...], or with {setting('ref')} and {setting('hyp')}; not both."
            )
    if inputs.paths_table and (other := next(filter(inputs.has, ("table", "ids_table")), None)):
        raise ConfigurationError(f"{setting('paths_table')} has ids and labels of its own: leave out {setting(other)}.")
    file, settings = read_table_name(inputs.table) if inputs.table else ("", {})
    reference, systems = _name_sides(inputs, has_system="system" in settings)
    return Sources(
        reference=reference,
        first_runs=systems,
        runs=_name_runs(inputs, systems),
        table=Path(file) if file else None,
        columns=_read_columns(inputs, reference, systems, settings) if file else None,
        paths_table=Path(inputs.paths_table) if inputs.paths_table else None,
        ids_table=Path(inputs.ids_table) if inputs.ids_table else None,
        formats=formats,
        recognised=recognised,
    )


def name_run(system: str, run: str) -> str:
    """Name of a run among systems."""
    return f"{system}, run {run}"


def _read_columns(
    inputs: InputOptions, reference: str, systems: Mapping[str, str], settings: Mapping[str, Any]
) -> TableColumns:
    return TableColumns(
        reference=reference,
        segment_id=inputs.ids,
        cluster=inputs.cluster or "",
        groups=inputs.groups or [],
        hypothesis=next(iter(systems)) if "system" in settings else "",
        **settings,
    )


def read_table_name(text: str) -> tuple[str, dict[str, Any]]:
    """Name of a table, and the columns in brackets behind it."""
    if Path(text).exists():
        return text, {}
    file, settings = split_settings(text, "table", example="rows.csv(system=model)")
    for name in settings:
        check_choice("setting", name, BRACKETS, where=setting("table"))
    return file, check_types(TableColumns, settings, where=file)


def _read_formats(inputs: InputOptions) -> Formats:
    """Formats that are given."""
    if inputs.table:
        if inputs.hypothesis_format or inputs.format not in (None, ASR_LOG):
            raise ConfigurationError(
                f"{setting('format')} and {setting('hypothesis_format')} are of files; a table is of the format that "
                f"its name says, or of {ASR_LOG}."
            )
        return None, None
    if inputs.format == ASR_LOG:
        raise ConfigurationError(f"{setting('format', ASR_LOG)} is of a table: give {setting('table', 'FILE')}.")
    reference, hypothesis = (
        _find_format(name) if name else None for name in (inputs.format, inputs.hypothesis_format or inputs.format)
    )
    return reference, hypothesis


def _find_format(name: str) -> Format:
    use_own_module(bare_name(name))
    return find_format(name, kinds=KINDS)


def find_logs(inputs: InputOptions, recognised: Mapping[Path, Format | None]) -> Mapping[str, Log]:
    """Logs by system; none if files of one side each are given."""
    if inputs.table or inputs.paths_table or inputs.ref is not None or not (inputs.files or inputs.hyp):
        return {}
    systems = named_values(inputs.hyp, expected="NAME=FILE") if inputs.hyp else {}
    paths = [Path(source) for source in inputs.files or systems.values()]
    form = _read_formats(inputs)[1]
    formats = [form or recognised.get(path) for path in paths]
    if not any(form and form.kind == "log" for form in formats):
        return {}
    other = next((path for path, form in zip(paths, formats, strict=True) if not form or form.kind != "log"), None)
    if other is not None:
        what = "no log" if other.is_file() and other.stat().st_size else "empty" if other.is_file() else "no file"
        raise ConfigurationError(
            f"{other} is {what}, and the other files are logs, which have references of their own: give logs alone."
        )
    from misread.data import name_logs, read_log

    logs = [read_log(path, form, encoding=inputs.encoding) for path, form in zip(paths, formats, strict=True) if form]
    return name_logs(logs, list(systems) or [""] * len(logs))


def recognise_files(sources: Iterable[str]) -> Mapping[Path, Format | None]:
    """Formats of files by their content; folders are not looked into."""
    from misread.data.formats.recognition import guess_format

    paths = dict.fromkeys(Path(source) for source in sources if source)
    return {path: guess_format(path, kinds=KINDS) for path in paths if path.is_file()}


def _name_sides(inputs: InputOptions, *, has_system: bool) -> _Sides:
    """Paths, addresses or columns of the references and of each system, as they are given."""
    if inputs.files:
        return _name_files(inputs.files)
    ref, hyp = inputs.ref, inputs.hyp
    if inputs.paths_table and ref is None and not hyp:
        from misread.data.paths_table import name_columns

        return name_columns(Path(inputs.paths_table), encoding=inputs.encoding)
    if inputs.format == ASR_LOG:
        from misread.data.formats.asr_log import HYPOTHESIS, REFERENCE

        ref, hyp = ref or REFERENCE, hyp or [f"asr={HYPOTHESIS}"]
    if ref is None or not hyp:
        how = _HOW_TO_NAME_COLUMNS if inputs.table else _HOW_TO_NAME_PATHS if inputs.paths_table else HOW_TO_NAME
        raise ConfigurationError(how)
    if has_system:
        return ref, name_one_column(hyp)
    are_columns = inputs.table or inputs.paths_table
    return ref, named_values(hyp, expected="NAME=COLUMN" if are_columns else "NAME=FILE, or with --table NAME=COLUMN")


def name_one_column(hyp: Sequence[str]) -> dict[str, str]:
    """The one column of texts of a table with one row per segment and system, by its own name."""
    if len(hyp) != 1 or "=" in hyp[0]:
        raise ConfigurationError(
            f"{setting('hyp', hyp[-1] if hyp else None)}: the systems are named by {setting('system')}; name the one "
            f"column of their texts, {setting('hyp', 'COLUMN')}."
        )
    return {hyp[0]: hyp[0]}


def _name_runs(inputs: InputOptions, systems: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Path or column of every run, by system, for systems with several runs; runs are numbered from 1."""
    runs: dict[str, dict[str, str]] = {}
    for entry in inputs.further_runs or []:
        ((system, source),) = named_values([entry], option=setting("further_runs"), expected="NAME=FILE").items()
        check_choice(
            "system",
            system,
            systems,
            where=f"{setting('further_runs')}; {setting('hyp')} names the first run of each",
        )
        sources = runs.setdefault(system, {"1": systems[system]})
        if source in sources.values():
            raise ConfigurationError(
                f"{setting('further_runs')} {entry!r}: {source} is a run of {system} already; the same texts are no "
                "further run."
            )
        sources[str(len(sources) + 1)] = source
    return runs


def _name_files(files: Sequence[str]) -> _Sides:
    if len(files) < 2 and any(Path(files[0]).suffix.lower() in form.endings for form in TABLES.values()):
        raise ConfigurationError(
            f"{files[0]} is a table: give {setting('table', files[0])}, {setting('ref', 'COLUMN')} and "
            f"{setting('hyp', 'NAME=COLUMN')}."
        )
    if len(files) < 2:
        raise ConfigurationError(f"{files[0]} is the reference; give the file of at least one system after it.")
    names = [_name_system(Path(file)) for file in files[1:]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigurationError(
            f"two systems would be called {twice[0]!r}; name them with {setting('hyp', 'NAME=FILE')}."
        )
    return files[0], dict(zip(names, files[1:], strict=True))


def _name_system(path: Path) -> str:
    """Name of a folder, whole; that of a file without its ending, but a version is not an ending (`gemini-2.0`)."""
    if path.is_dir():
        return path.resolve().name
    return path.name if path.suffix[1:].isdecimal() else path.stem
