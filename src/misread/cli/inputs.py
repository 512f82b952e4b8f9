"""References and hypotheses as commands name them: files, folders, or columns of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.options import named_values
from misread.errors import ConfigurationError

if TYPE_CHECKING:
    from misread.records import SegmentTable

References = Annotated[str | None, typer.Option(help="File or folder of references, or with --table its column.")]
Hypotheses = Annotated[
    list[str] | None, typer.Option(help="NAME=FILE (or folder) of a system, or with --table NAME=COLUMN; repeat.")
]
TableFile = Annotated[Path | None, typer.Option(help="Table with one row per segment: .csv, .tsv, .jsonl or .parquet.")]
AsrLog = Annotated[
    Path | None,
    typer.Option(
        help="Log of a recognizer (JSON array, JSON Lines, or separated by ;) with reference_text and asr_output, or "
        "the columns that --ref and --hyp name."
    ),
]
IdColumns = Annotated[str | None, typer.Option("--id", help="With --table: columns of segment ids, joined by commas.")]
Normalization = Annotated[str, typer.Option(help="Done to both sides first; `misread normalize --list` has them.")]
Missing = Annotated[str, typer.Option(help="Hypotheses that are missing: error, drop, empty.")]


class Format(StrEnum):
    """How files are read."""

    LINES = "lines"
    TEXT = "text"
    TRN = "trn"
    NLP = "nlp"
    STM = "stm"
    CTM = "ctm"


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What is to be read, and how; raises ConfigurationError if options do not go together.

    `reference` and the values of `systems`, by system, are files or folders, or columns of `table`. `formats` are those
    of references and hypotheses, None where none was given.
    """

    reference: str
    systems: Mapping[str, str]
    table: Path | None = None
    is_log: bool = False
    segment_id: Sequence[str] = ()
    cluster: str | None = None
    groups: Sequence[str] = ()
    formats: tuple[Format | None, Format | None] = (None, None)
    alternatives: Path | None = None
    optional_words: bool = False
    verbatim: bool = False

    def __post_init__(self) -> None:
        if self.optional_words and self.formats[0] not in (Format.TRN, Format.STM):
            raise ConfigurationError(
                "--optional-words goes with --format trn, or --ref-format stm with --hyp-format ctm."
            )
        if self.table is not None:
            return
        if self.segment_id or self.groups or (self.cluster and self.formats[0] is not Format.TRN):
            raise ConfigurationError(
                "--id, --cluster and --group name columns: they need --table FILE (--cluster also goes with --format "
                "trn)."
            )
        if self.alternatives and self.formats[0] is not Format.NLP:
            raise ConfigurationError(
                "--alternatives goes with --format nlp; other formats hold alternatives themselves."
            )

    def read(self, *, optional_words: bool = False, verbatim: bool = False) -> SegmentTable:
        """Read everything; the two arguments are for what other options imply."""
        from misread import datasets

        if self.table is not None:
            read = datasets.read_asr_log if self.is_log else datasets.read_table
            return read(
                self.table,
                self.reference,
                self.systems,
                segment_id=self.segment_id,
                cluster=self.cluster or "",
                groups=self.groups,
            )
        reference, paths = Path(self.reference), {name: Path(file) for name, file in self.systems.items()}
        optional_words, verbatim = optional_words or self.optional_words, verbatim or self.verbatim
        form = self.formats[0]
        if form is Format.TRN:
            return datasets.read_trn_files(reference, paths, cluster=self.cluster or "", optional_words=optional_words)
        if form is Format.STM:
            return datasets.read_timed_files(reference, paths, optional_words=optional_words)
        if form is Format.NLP:
            return datasets.read_nlp_files(reference, paths, alternatives=self.alternatives)
        if not reference.is_dir():
            return datasets.read_files(reference, paths, by_line=form is not Format.TEXT, verbatim=verbatim)
        if form is Format.LINES:
            raise ConfigurationError("folders are paired file by file; use --format text (the default) or nlp.")
        return datasets.read_folders(reference, paths, verbatim=verbatim)

    def facts(self) -> dict[str, object]:
        """What the configuration of a run says of them."""
        return {
            "references": {"table": str(self.table), "column": self.reference} if self.table else self.reference,
            "hypotheses": dict(self.systems),
            "segment_id": list(self.segment_id),
            "cluster": self.cluster,
            "groups": list(self.groups),
            "format": None if self.table else [each.value for each in self.formats if each],
            "alternatives": str(self.alternatives) if self.alternatives else None,
            "optional_words": self.optional_words,
        }


def choose_table(
    table: Path | None, log: Path | None, ref: str | None, hyp: list[str] | None
) -> tuple[Path | None, str | None, list[str] | None]:
    """Table, reference and hypotheses; a log is a table with columns of known names."""
    from misread.datasets.formats.asr_log import HYPOTHESIS, REFERENCE

    if log is None:
        return table, ref, hyp
    if table is not None:
        raise ConfigurationError("--asr-log is read as a table; give it or --table, not both.")
    return log, ref or REFERENCE, hyp or [f"asr={HYPOTHESIS}"]


def name_systems(
    files: Sequence[str], ref: str | None, hyp: Sequence[str], *, with_table: bool
) -> tuple[str, dict[str, str]]:
    """Where references are, and each system's hypotheses."""
    if files and (ref or hyp or with_table):
        raise ConfigurationError("give files as they are, REF HYP [HYP ...], or with --ref and --hyp; not both.")
    if files:
        if len(files) < 2:
            raise ConfigurationError(f"{files[0]} is the reference; give the file of at least one system after it.")
        names = [Path(file).name.removesuffix(Path(file).suffix) for file in files[1:]]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ConfigurationError(f"two systems would be called {twice[0]!r}; name them with --hyp NAME=FILE.")
        return files[0], dict(zip(names, files[1:], strict=True))
    if ref is None or not hyp:
        raise ConfigurationError("give REF HYP [HYP ...], or --ref FILE and --hyp NAME=FILE.")
    return ref, named_values(hyp, expected="NAME=FILE, or with --table NAME=COLUMN")


def choose_formats(both: Format | None, ref: Format | None, hyp: Format | None) -> tuple[Format | None, Format | None]:
    """Formats of both sides; None where none was given."""
    if both and (ref or hyp):
        raise ConfigurationError("--format sets both sides; use it, or --ref-format and --hyp-format.")
    formats = (ref or both, hyp or both)
    pairs = [(None, None), *((each, each) for each in (Format.LINES, Format.TEXT, Format.TRN, Format.NLP))]
    if formats not in [*pairs, (Format.STM, Format.CTM)]:
        raise ConfigurationError(
            f"no way to score {formats[1] or 'lines'} against {formats[0] or 'lines'}; there are --format lines, text, "
            "trn, nlp, and --ref-format stm with --hyp-format ctm."
        )
    return formats
