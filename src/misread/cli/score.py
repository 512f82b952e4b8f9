"""`misread score`: score files or a table without a pipeline."""

from __future__ import annotations

from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.options import named_values, split_list, statistics_of_options
from misread.cli.paired_tests import read_test_names
from misread.display.score import Output, print_result
from misread.errors import ConfigurationError, UnknownNameError

if TYPE_CHECKING:
    from misread.records import Capture


class Format(StrEnum):
    """How files are read."""

    LINES = "lines"
    TEXT = "text"
    TRN = "trn"
    NLP = "nlp"
    STM = "stm"
    CTM = "ctm"


class Report(StrEnum):
    """What is printed beside the rates."""

    SC_STATS = "sc_stats"


class Rule(StrEnum):
    """Costs by which error rates are aligned."""

    UNIT = "unit"
    SCLITE = "sclite"
    TRANSPOSITIONS = "transpositions"


def score(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="References, then one file or folder per system; its name without the ending is the system's."
        ),
    ] = None,
    ref: Annotated[str | None, typer.Option(help="File or folder of references, or with --table its column.")] = None,
    hyp: Annotated[
        list[str] | None,
        typer.Option(help="NAME=FILE (or folder) of a system, or with --table NAME=COLUMN; repeat."),
    ] = None,
    table: Annotated[
        Path | None, typer.Option(help="Table with one row per segment: .csv, .tsv, .jsonl or .parquet.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", help="With --table: columns of segment ids, joined by commas.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Clusters (page, speaker), resampled as a whole: with --table a column, with --format trn a regular "
            "expression whose group takes them out of the ids."
        ),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="With --table: column by which results are broken down, in CSV instead of the whole; repeat."
        ),
    ] = None,
    clean: Annotated[
        list[str] | None,
        typer.Option(help="COLUMN=LEVEL of a --group: shows how much each other level adds to that one; repeat."),
    ] = None,
    text_format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="Of files: every line a segment (lines), the whole text one (text), one TEXT (ID) per line (trn), or "
            "one token per line (nlp); by default lines for files and text for folders.",
        ),
    ] = None,
    ref_format: Annotated[
        Format | None, typer.Option(help="Format of references only: stm, with --hyp-format ctm.")
    ] = None,
    hyp_format: Annotated[
        Format | None, typer.Option(help="Format of hypotheses only: ctm, with --ref-format stm.")
    ] = None,
    alternatives: Annotated[
        Path | None,
        typer.Option(help="With --format nlp: folder of STEM.norm.json with other readings of the references."),
    ] = None,
    optional_words: Annotated[
        bool,
        typer.Option(
            "--optional-words",
            help="With --format trn, or stm and ctm: a word in parentheses may be left out, as for sclite -D; "
            "--alignment sclite implies it.",
        ),
    ] = False,
    verbatim: Annotated[
        bool,
        typer.Option(
            "--verbatim",
            help="Of files without --table: take them as plain text even if they look like another format (XML, JSON, "
            "SRT). Metrics of answers do so by themselves.",
        ),
    ] = False,
    alignment: Annotated[
        Rule, typer.Option(help="Costs of error rates: unit, NIST's sclite, or a swap of neighbours as one error.")
    ] = Rule.UNIT,
    metrics: Annotated[str, typer.Option(help="Ids of metrics, joined by commas.")] = "cer,wer",
    normalizer: Annotated[
        str, typer.Option(help="Done to both sides first: none, whitespace, lower, unfenced.")
    ] = "none",
    schema: Annotated[
        Path | None,
        typer.Option(help="JSON Schema (.json) or XML Schema (.xsd) that answers should fit."),
    ] = None,
    required: Annotated[
        str | None, typer.Option(help="Fields, joined by commas, that json_completeness or xml_completeness asks for.")
    ] = None,
    missing: Annotated[str, typer.Option(help="Hypotheses that are missing: strict, present, all.")] = "strict",
    tests: Annotated[
        str | None, typer.Option(help="Paired tests to run and print beside the deciding one, joined by commas.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Largest difference of rates that does not matter (0.005: half a point).")
    ] = None,
    nemenyi: Annotated[
        bool,
        typer.Option("--nemenyi", help="Compare ranks of three systems over clusters (Friedman, Nemenyi)."),
    ] = False,
    baseline: Annotated[str | None, typer.Option(help="System to compare with; else the first.")] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.")] = 9999,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap; part of the signature.")] = 1,
    report: Annotated[
        Report | None, typer.Option(help="sc_stats: the paired figures of NIST's tool, words aligned as by sclite.")
    ] = None,
    run_dir: Annotated[
        Path | None,
        typer.Option(help="Folder to write config.json, results.json (every segment) and summary.json into."),
    ] = None,
    confusions: Annotated[
        int,
        typer.Option(min=0, help="Most frequent confusions of characters and of words to print; CSV then holds these."),
    ] = 0,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
    raw_csv: Annotated[
        bool,
        typer.Option("--raw-csv", help="CSV with texts as they are, though a spreadsheet may take one for a formula."),
    ] = False,
) -> None:
    r"""Score systems against references, and test every pair of them.

    For instance:

    \b
      misread score gold.txt a.txt b.txt
      misread score --ref gold.trn --hyp a=a.trn --hyp b=b.trn --format trn --alignment sclite --normalizer lower
      misread score --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
    """
    from misread.datasets.user_files import read_table
    from misread.metrics import DownstreamTask, ErrorRate, FieldMatch, StructuredAnswers, get_metrics, with_schema
    from misread.normalize import get_normalizer
    from misread.pipeline.console import warn_of_notes
    from misread.pipeline.in_process import find_confusions, score_captures, score_texts
    from misread.pipeline.run_folder import write_run
    from misread.stats import compare_like_sc_stats

    reference, systems = _inputs(files or [], ref, hyp or [], with_table=table is not None)
    formats = _formats(text_format, ref_format, hyp_format)
    metric_ids = split_list(metrics, option="--metrics")
    clean_levels = _clean_levels(clean or [], group or [])
    settings = statistics_of_options(
        seed=seed, confidence=confidence, resamples=resamples, margin=margin, nemenyi=nemenyi
    )
    if (tests or report) and output not in (Output.TABLE, Output.JSON):
        option = "--tests" if tests else "--report"
        raise ConfigurationError(f"{option} is printed with --output table or json, not with {output}.")
    if raw_csv and output is not Output.CSV:
        raise ConfigurationError(f"--raw-csv is for --output csv, not for {output}.")
    if tests is not None:
        # The test that decides is always made.
        names = dict.fromkeys([*read_test_names(tests), settings.decide_by])
        settings = replace(settings, tests=list(names))
    if optional_words and formats[0] not in (Format.TRN, Format.STM):
        raise ConfigurationError("--optional-words goes with --format trn, or --ref-format stm with --hyp-format ctm.")
    known = [
        replace(metric, alignment=alignment.value) if isinstance(metric, ErrorRate) else metric
        for metric in get_metrics(metric_ids)
    ]
    if table is not None:
        captures = read_table(
            table,
            reference,
            systems,
            segment_id=split_list(id_column, option="--id"),
            cluster=cluster or "",
            groups=group or [],
        )
    elif id_column or group or (cluster and formats != (Format.TRN, Format.TRN)):
        raise ConfigurationError(
            "--id, --cluster and --group name columns: they need --table FILE (--cluster also goes with --format trn)."
        )
    elif alternatives and formats != (Format.NLP, Format.NLP):
        raise ConfigurationError("--alternatives goes with --format nlp; other formats hold alternatives themselves.")
    else:
        paths = {name: Path(file) for name, file in systems.items()}
        captures = _read(
            formats,
            Path(reference),
            paths,
            cluster=cluster or "",
            alternatives=alternatives,
            optional_words=optional_words or alignment is Rule.SCLITE,
            # What these take is JSON or XML itself.
            verbatim=verbatim
            or any(isinstance(metric, FieldMatch | StructuredAnswers | DownstreamTask) for metric in known),
        )
    if alignment is not Rule.UNIT and not any(isinstance(metric, ErrorRate) for metric in known):
        raise ConfigurationError(f"--alignment {alignment} is for error rates; name one in --metrics, such as wer.")
    chosen = with_schema(known, schema, split_list(required, option="--required"))
    steps = get_normalizer(normalizer)
    scored = score_texts(captures, steps, chosen, settings, baseline=baseline, missing=missing)
    for column, level in clean_levels.items():
        if level not in scored.result.groups[column]:
            raise UnknownNameError("level", level, scored.result.groups[column], where=f"group column {column!r}")
    if output is not Output.CSV:
        # For CSV, which cannot hold notes, `print_result` prints them with all other warnings.
        warn_of_notes(of.origin for of in scored.scores.values())
    confused = find_confusions(captures, steps, chosen, missing=missing) if confusions else {}
    nist = []
    if report is Report.SC_STATS:
        words = ErrorRate("wer", "word", alignment="sclite")
        aligned = score_captures(captures, steps, [words], missing=missing, operations=True)
        nist = compare_like_sc_stats(aligned, words.id, baseline=baseline)
    if run_dir is not None:
        config = {
            "references": {"table": str(table), "column": reference} if table else reference,
            "hypotheses": systems,
            "segment_id": split_list(id_column, option="--id"),
            "cluster": cluster,
            "groups": group or [],
            "format": None if table else [each.value for each in formats if each],
            "alternatives": str(alternatives) if alternatives else None,
            "optional_words": optional_words,
            "alignment": alignment.value,
            "metrics": metric_ids,
            "normalizer": normalizer,
            "schema": str(schema) if schema else None,
            "required": split_list(required, option="--required"),
            "missing": missing,
            "baseline": scored.result.baseline,
            "statistics": asdict(settings),
        }
        write_run(run_dir, config=config, scores=scored.scores, metrics=chosen, summary=scored.result)
    print_result(
        scored.result,
        metric_ids,
        output,
        groups=group or [],
        clean_levels=clean_levels,
        confused=confused,
        most_confusions=confusions,
        sc_stats=nist,
        with_tests=tests is not None,
        raw_csv=raw_csv,
    )


def _inputs(files: list[str], ref: str | None, hyp: list[str], *, with_table: bool) -> tuple[str, dict[str, str]]:
    """Where references are, and each system's hypotheses."""
    if files and (ref or hyp or with_table):
        raise ConfigurationError("give files as they are, REF HYP [HYP ...], or with --ref and --hyp; not both.")
    if files:
        if len(files) < 2:
            raise ConfigurationError(f"{files[0]} is the reference; give the file of at least one system behind it.")
        names = [Path(file).name.removesuffix(Path(file).suffix) for file in files[1:]]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ConfigurationError(f"two systems would be called {twice[0]!r}; name them with --hyp NAME=FILE.")
        return files[0], dict(zip(names, files[1:], strict=True))
    if ref is None or not hyp:
        raise ConfigurationError("give REF HYP [HYP ...], or --ref FILE and --hyp NAME=FILE.")
    return ref, named_values(hyp, expected="NAME=FILE, or with --table NAME=COLUMN")


def _formats(both: Format | None, ref: Format | None, hyp: Format | None) -> tuple[Format | None, Format | None]:
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


def _read(
    formats: tuple[Format | None, Format | None],
    reference: Path,
    hypotheses: dict[str, Path],
    *,
    cluster: str,
    alternatives: Path | None,
    optional_words: bool,
    verbatim: bool,
) -> dict[str, Capture]:
    from misread.datasets.user_files import read_files, read_folders
    from misread.datasets.user_transcripts import read_nlp_files, read_timed_files, read_trn_files

    if formats[0] is Format.TRN:
        return read_trn_files(reference, hypotheses, cluster=cluster, optional_words=optional_words)
    if formats[0] is Format.STM:
        return read_timed_files(reference, hypotheses, optional_words=optional_words)
    if formats[0] is Format.NLP:
        return read_nlp_files(reference, hypotheses, alternatives=alternatives)
    if reference.is_dir():
        if formats[0] is Format.LINES:
            raise ConfigurationError("folders are paired file by file; use --format text (the default) or nlp.")
        return read_folders(reference, hypotheses, verbatim=verbatim)
    return read_files(reference, hypotheses, by_line=formats[0] is not Format.TEXT, verbatim=verbatim)


def _clean_levels(entries: list[str], groups: list[str]) -> dict[str, str]:
    levels: dict[str, str] = {}
    for entry in entries:
        column, equals, level = entry.partition("=")
        if not (column and equals and level):
            raise ConfigurationError(f"--clean {entry!r}: expected COLUMN=LEVEL.")
        if column not in groups:
            raise ConfigurationError(f"--clean {entry!r}: {column!r} is not a --group; add --group {column}.")
        if column in levels:
            raise ConfigurationError(
                f"--clean names two levels of {column!r}, {levels[column]!r} and {level!r}; name one."
            )
        levels[column] = level
    return levels
