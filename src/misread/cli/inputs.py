"""References and hypotheses as commands name them: files, folders, or columns of a table; declared and read once."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_type_hints

import typer

from misread.cli.options import named_values, split_list
from misread.errors import ConfigurationError

if TYPE_CHECKING:
    from misread.datasets.formats.paired_files import FolderOptions
    from misread.records import MissingPolicy, SegmentTable

_HOW_TO_NAME = "give REF HYP [HYP ...], or --ref FILE and --hyp NAME=FILE."


class Format(StrEnum):
    """How files are read."""

    LINES = "lines"
    TEXT = "text"
    TRN = "trn"
    NLP = "nlp"
    STM = "stm"
    CTM = "ctm"
    KALDI = "kaldi"
    NEMO = "nemo"
    DOCVQA = "docvqa"
    SEGLST = "seglst"
    WEBVTT = "webvtt"
    SRT = "srt"
    TEXTGRID = "textgrid"
    WHISPER = "whisper"


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
            help="References, then one file or folder per system, called by its name: of a file without the ending."
        ),
    ] = None
    ref: Annotated[str | None, typer.Option(help="File or folder of references, or with --table its column.")] = None
    hyp: Annotated[
        list[str] | None, typer.Option(help="NAME=FILE (or folder) of a system, or with --table NAME=COLUMN; repeat.")
    ] = None
    table: Annotated[
        Path | None, typer.Option(help="Table with one row per segment: .csv, .tsv, .jsonl or .parquet.")
    ] = None
    asr_log: Annotated[
        Path | None,
        typer.Option(
            help="Log of a recognizer (JSON array, JSON Lines, or separated by ;) with reference_text and asr_output, "
            "or the columns that --ref and --hyp name."
        ),
    ] = None
    id_column: Annotated[
        str | None, typer.Option("--id", help="With --table: columns of segment ids, joined by commas.")
    ] = None
    pattern: Annotated[
        list[str] | None,
        typer.Option(
            help="Of folders: which files are texts, as '*.txt' or 'page_*/*.gt.txt'; repeat. By default those of the "
            "most frequent ending, without README, images and audio."
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Clusters (page, speaker), resampled as a whole: with --table a column; with folders a regular "
            "expression whose group takes them out of the paths of references, with --format trn out of the ids."
        ),
    ] = None
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="Results by group, in CSV instead of the whole: with --table a column, with folders a regular "
            "expression on paths with named groups, as '^(?P<book>[^/]+)/'; repeat."
        ),
    ] = None
    text_format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="Of files: every line a segment (lines), the whole text one (text), one TEXT (ID) per line (trn), or "
            "one token per line (nlp); segments of files: kaldi, nemo, docvqa, paired by id, and stm, seglst, webvtt, "
            "srt, textgrid, whisper, paired by time; by default lines for files and text for folders.",
        ),
    ] = None
    ref_format: Annotated[
        Format | None, typer.Option(help="Format of references only: stm, with --hyp-format ctm.")
    ] = None
    hyp_format: Annotated[
        Format | None, typer.Option(help="Format of hypotheses only: ctm, with --ref-format stm.")
    ] = None
    resegment: Annotated[
        bool,
        typer.Option(
            "--resegment",
            help="Segments are cut differently: align the words of every recording (of lines, of the file) and cut the "
            "hypothesis at the references' boundaries; part of the signature.",
        ),
    ] = False
    alternatives: Annotated[
        Path | None,
        typer.Option(help="With --format nlp: folder of STEM.norm.json with other readings of the references."),
    ] = None
    optional_words: Annotated[
        bool,
        typer.Option(
            "--optional-words",
            help="With --format trn, or stm and ctm: a word in parentheses may be left out, as for sclite -D; "
            "--alignment sclite implies it.",
        ),
    ] = False
    verbatim: Annotated[
        bool,
        typer.Option(
            "--verbatim",
            help="Of files without --table: take them as plain text even if they look like another format (XML, JSON, "
            "SRT). Metrics of answers do so by themselves.",
        ),
    ] = False
    encoding: Annotated[
        str, typer.Option(help="Encoding of text files, such as latin-1 or cp1252; a byte order mark overrides it.")
    ] = "utf-8"
    empty: Annotated[
        Empty, typer.Option(help="With --table: what an empty cell of CSV and TSV is, an empty or a missing text.")
    ] = Empty.TEXT
    normalizer: Annotated[str, typer.Option(help="Done to both sides first; `misread normalize --list` has them.")] = (
        "none"
    )
    missing: Annotated[
        str, typer.Option(help="Hypotheses, rows or files that are missing on one side: error, drop, empty.")
    ] = "error"

    @property
    def are_given(self) -> bool:
        """Whether texts are named, and not those of the project meant."""
        return bool(self.files or self.ref or self.hyp or self.table or self.asr_log)

    @property
    def columns_of(self) -> Path | None:
        """File whose columns the options name."""
        if self.asr_log is not None and self.table is not None:
            raise ConfigurationError("--asr-log is read as a table; give it or --table, not both.")
        return self.table or self.asr_log

    def require_none(self) -> None:
        """Refuse options on how to read texts where none are named."""
        flags = _flags()
        given = [flags[each.name] for each in fields(self) if getattr(self, each.name) not in (None, [], each.default)]
        if given:
            raise ConfigurationError(f"{', '.join(given)}: this belongs to texts that are given; {_HOW_TO_NAME}")

    @functools.cached_property
    def formats(self) -> tuple[Format | None, Format | None]:
        """Formats of both sides; None where none was given."""
        ref, hyp = self.ref_format, self.hyp_format
        if self.text_format and (ref or hyp):
            raise ConfigurationError("--format sets both sides; use it, or --ref-format and --hyp-format.")
        formats = (ref or self.text_format, hyp or self.text_format)
        if self._hold_segments(formats):
            return formats
        pairs = [(None, None), *((each, each) for each in (Format.LINES, Format.TEXT, Format.TRN, Format.NLP))]
        if formats not in [*pairs, (Format.STM, Format.CTM)]:
            raise ConfigurationError(
                f"no way to score {formats[1] or 'lines'} against {formats[0] or 'lines'}; there are --format lines, "
                "text, trn, nlp, and --ref-format stm with --hyp-format ctm."
            )
        return formats

    def _hold_segments(self, formats: tuple[Format | None, Format | None]) -> bool:
        """Whether files are read as segments, each with a text: by what the format is, or for cutting them again."""
        if self.resegment:
            return True
        if not any(formats) or formats == (Format.STM, Format.CTM):
            return False
        from misread.datasets.segment_files import NAMED, TIMED

        return {*formats} <= {None, *TIMED} or (formats[0] == formats[1] and formats[0] in NAMED - {"trn"})

    @functools.cached_property
    def sides(self) -> tuple[str, dict[str, str]]:
        """Where references are, and each system's hypotheses."""
        if self.files and (self.ref or self.hyp or self.columns_of):
            raise ConfigurationError("give files as they are, REF HYP [HYP ...], or with --ref and --hyp; not both.")
        if self.files:
            return _name_files(self.files)
        ref, hyp = self.ref, self.hyp
        if self.asr_log is not None:
            from misread.datasets.formats.asr_log import HYPOTHESIS, REFERENCE

            ref, hyp = ref or REFERENCE, hyp or [f"asr={HYPOTHESIS}"]
        if ref is None or not hyp:
            raise ConfigurationError(_HOW_TO_NAME)
        return ref, named_values(hyp, expected="NAME=FILE, or with --table NAME=COLUMN")

    @property
    def group_columns(self) -> list[str]:
        """Names of the columns that results are grouped by, before anything is read."""
        if self.columns_of is not None:
            return list(self.group or [])
        return [name for pattern in self.group or [] for name in re.findall(r"\(\?P?<(\w+)>", pattern)]

    def check(self) -> None:
        """Refuse options that do not go together, before anything is read."""
        (reference, systems), form = self.sides, self.formats[0]
        are_folders = any(Path(each).is_dir() for each in (reference, *systems.values()))
        if self.optional_words and form not in (Format.TRN, Format.STM):
            raise ConfigurationError(
                "--optional-words goes with --format trn, or --ref-format stm with --hyp-format ctm."
            )
        if self.resegment and self.columns_of is not None:
            raise ConfigurationError("--resegment cuts files of segments; rows of a table are paired as they stand.")
        if self.columns_of is None and self.empty is not Empty.TEXT:
            raise ConfigurationError("--empty is about cells: it needs --table FILE.")
        if self.pattern and (self.columns_of is not None or not are_folders):
            raise ConfigurationError("--pattern chooses files of folders: give folders.")
        if self.columns_of is not None:
            return
        if self.id_column or (not are_folders and (self.group or (self.cluster and not self._have_ids()))):
            raise ConfigurationError(
                "--id, --cluster and --group name columns: they need --table FILE (--cluster and --group also go with "
                "folders, as regular expressions on paths, and --cluster with --format trn)."
            )
        if self.alternatives and form is not Format.NLP:
            raise ConfigurationError(
                "--alternatives goes with --format nlp; other formats hold alternatives themselves."
            )
        if form is Format.LINES and are_folders:
            raise ConfigurationError("folders are paired file by file; use --format text (the default) or nlp.")

    def _have_ids(self) -> bool:
        """Whether `--cluster` is an expression on ids."""
        return self.formats[0] is Format.TRN or self._hold_segments(self.formats)

    def read(self, *, optional_words: bool = False, verbatim: bool = False, scored: bool = True) -> SegmentTable:
        """Read everything, or raise as `check`.

        `optional_words` and `verbatim` are for what other options imply; where texts are shown and not `scored`,
        hypotheses may be missing.
        """
        from misread import datasets
        from misread.checks.choices import check_choice
        from misread.records import MissingPolicy

        self.check()
        check_choice("policy for missing hypotheses", self.missing, MissingPolicy)
        reference, systems = self.sides
        if self.columns_of is not None:
            return datasets.read_table(
                self.columns_of,
                reference,
                systems,
                segment_id=split_list(self.id_column, option="--id"),
                cluster=self.cluster or "",
                groups=self.group or [],
                empty=self.empty.value,
                missing=cast("MissingPolicy", self.missing),
                encoding=self.encoding,
                is_asr_log=self.asr_log is not None,
            )
        path, paths = Path(reference), {name: Path(file) for name, file in systems.items()}
        optional_words, verbatim = optional_words or self.optional_words, verbatim or self.verbatim
        form, encoding = self.formats[0], self.encoding
        if self._hold_segments(self.formats):
            return self._read_segments(path, paths)
        if form is Format.TRN:
            return datasets.read_trn_files(
                path, paths, cluster=self.cluster or "", optional_words=optional_words, encoding=encoding
            )
        if form is Format.STM:
            return datasets.read_timed_files(path, paths, optional_words=optional_words, encoding=encoding)
        options = self._folder_options(scored=scored)
        if form is Format.NLP:
            return datasets.read_nlp_files(path, paths, options, alternatives=self.alternatives, encoding=encoding)
        if path.is_dir():
            return datasets.read_folders(path, paths, options, verbatim=verbatim, encoding=encoding)
        by_line = form is not Format.TEXT
        return datasets.read_files(path, paths, by_line=by_line, verbatim=verbatim, encoding=encoding)

    def _read_segments(self, path: Path, paths: Mapping[str, Path]) -> SegmentTable:
        from misread import datasets
        from misread.checks.choices import check_choice
        from misread.datasets.segment_files import SegmentFormat
        from misread.normalize import get_normalizer

        formats = [each.value if each else "lines" for each in self.formats]
        for name in formats:
            check_choice("format of segments", name, SegmentFormat)
        reference, hypothesis = (cast("SegmentFormat", name) for name in formats)
        return datasets.read_segment_files(
            path,
            paths,
            reference,
            hypothesis,
            cut_again=self.resegment,
            cluster=self.cluster or "",
            # Words are compared as they are scored.
            key=get_normalizer(self.normalizer) if self.resegment else None,
            encoding=self.encoding,
        )

    def facts(self) -> dict[str, object]:
        """What the configuration of a run says of them."""
        reference, systems = self.sides
        return {
            "references": {"table": str(self.columns_of), "column": reference} if self.columns_of else reference,
            "hypotheses": dict(systems),
            "segment_id": split_list(self.id_column, option="--id"),
            "cluster": self.cluster,
            "groups": list(self.group or []),
            "pattern": list(self.pattern or []),
            "format": None if self.columns_of else [each.value for each in self.formats if each],
            "resegment": self.resegment,
            "alternatives": str(self.alternatives) if self.alternatives else None,
            "optional_words": self.optional_words,
            "encoding": self.encoding,
            "empty": self.empty.value,
            "normalizer": self.normalizer,
            "missing": self.missing,
        }

    def _folder_options(self, *, scored: bool) -> FolderOptions:
        from misread.datasets import FolderOptions

        return FolderOptions(
            patterns=self.pattern or [],
            cluster=self.cluster or "",
            groups=self.group or [],
            missing=None if self.missing == "error" and not scored else cast("MissingPolicy", self.missing),
        )


def takes_inputs(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Inputs` in the place of its parameter `inputs`."""
    signature = inspect.signature(command, eval_str=True)
    options = [
        inspect.Parameter(
            each.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=None if each.default is MISSING else each.default,
            annotation=hint,
        )
        for each, hint in zip(fields(Inputs), _hints().values(), strict=True)
    ]

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        inputs = Inputs(**{option.name: given.pop(option.name) for option in options})
        command(inputs=inputs, **given)

    parameters = []
    for each in signature.parameters.values():
        parameters += options if each.name == "inputs" else [each]
    with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_options


def _hints() -> Mapping[str, Any]:
    hints = get_type_hints(Inputs, include_extras=True)
    return {each.name: hints[each.name] for each in fields(Inputs)}


def _flags() -> Mapping[str, str]:
    """Names of fields as options."""
    named = {"files": "files", "id_column": "--id", "text_format": "--format"}
    return {each.name: named.get(each.name, f"--{each.name.replace('_', '-')}") for each in fields(Inputs)}


def _name_files(files: Sequence[str]) -> tuple[str, dict[str, str]]:
    if len(files) < 2:
        raise ConfigurationError(f"{files[0]} is the reference; give the file of at least one system after it.")
    names = [_name_system(Path(file)) for file in files[1:]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigurationError(f"two systems would be called {twice[0]!r}; name them with --hyp NAME=FILE.")
    return files[0], dict(zip(names, files[1:], strict=True))


def _name_system(path: Path) -> str:
    """Name of a folder, whole; that of a file without its ending, but a version is no ending (`gemini-2.0`)."""
    if path.is_dir():
        return path.resolve().name
    return path.name if path.suffix[1:].isdecimal() else path.stem
