"""`misread init`: make a study of one's own in a folder."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

import typer

from misread.cli.init_questions import installed_engines
from misread.cli.options import named_values, split_list
from misread.errors import ConfigurationError
from misread.io.checks.choices import require_utf8
from misread.io.console import write_out
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.cli.inputs import Inputs
    from misread.data.segment_table import SegmentTable
    from misread.study.content import Content
    from misread.study.plan import Plan
    from misread.study.template import Settings

_NEXT: Final = {
    "dvc repro": "runs the study: open reports/index.html",
    "git add -A && git commit -m Results": "keeps configuration and results together",
    "misread diff": "says after the next change what became better or worse",
}
_MOST_NAMES: Final = 8
_MEASURED: Final = ("--latency-column", "--cost-column", "--input-tokens-column", "--output-tokens-column")
_LONG: Final = ("--system-column", "--run-column", *_MEASURED)
_COUNTS: Final = ("--counts", "--pseudonyms")
_LOGS: Final = "logs"
_LOG_ENDINGS: Final = (".eval", ".json", ".jsonl")


class CountsPlace(StrEnum):
    """What has the counts of every segment."""

    GIT = "git"
    CACHE = "cache"


def init(
    logs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[LOG]...", help="Logs of Inspect or lm-evaluation-harness, as of `misread score`; they are copied."
        ),
    ] = None,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of the study; made if it is not there.")
    ] = Path(),
    table: Annotated[
        Path | None, typer.Option(help="Table with one row per segment: .csv, .tsv, .jsonl or .parquet; it is copied.")
    ] = None,
    data_folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            help="Folder of images, with a transcription beside each or with ground_truth.json; with --ref and --hyp, "
            "folder that holds folders of texts. It is not copied.",
        ),
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Preset of misread on public data, such as das22.")] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", help="With --table: columns of segment ids, joined by commas.")
    ] = None,
    ref: Annotated[
        str | None, typer.Option(help="Column of the references in --table, or their folder in --folder.")
    ] = None,
    hyp: Annotated[
        list[str] | None,
        typer.Option(help="NAME=COLUMN of a system, with --folder NAME=FOLDER in it, or NAME=LOG; repeat."),
    ] = None,
    system_column: Annotated[
        str | None,
        typer.Option(
            help="With --table: column that names the system of a row; --hyp then names the one column of texts."
        ),
    ] = None,
    run_column: Annotated[
        str | None, typer.Option(help="With --table: column that numbers the run of a row, from 1.")
    ] = None,
    latency_column: Annotated[
        str | None, typer.Option(help="With --system-column: column of the seconds that a row took.")
    ] = None,
    cost_column: Annotated[
        str | None, typer.Option(help="With --system-column: column of the US dollars that a row cost.")
    ] = None,
    input_tokens_column: Annotated[
        str | None, typer.Option(help="With --system-column: column of tokens that were sent.")
    ] = None,
    output_tokens_column: Annotated[
        str | None, typer.Option(help="With --system-column: column of tokens that came back.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Clusters (page, speaker): a column of --table, a key of logs, or with --folder a regular expression "
            "whose group finds the cluster in the name of a file."
        ),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(help="Column of --table, or key of logs, by which results are broken down; repeat."),
    ] = None,
    counts: Annotated[
        CountsPlace,
        typer.Option(
            help="What Git keeps of your data: the counts of every segment (git), or sums over clusters (cache)."
        ),
    ] = CountsPlace.GIT,
    pseudonyms: Annotated[
        bool,
        typer.Option("--pseudonyms", help="Commit hashes with a secret key in place of segment ids and clusters."),
    ] = False,
) -> None:
    r"""Make a study of your own, which `dvc repro` runs.

    It sets up Git and DVC if they are not, and overwrites nothing. Without options it asks for the data if it runs in a
    terminal; elsewhere it writes an example to be replaced.

    \b
      misread init --table lines.csv --id id --ref truth --cluster page --hyp one=one --hyp two=two .
      misread init --folder texts --ref truth --hyp one=ocr/one --hyp two=ocr/two my_study
      misread init --folder scans my_study
      misread init large.eval small.eval --cluster box my_study
      misread init --preset das22 my_study
    """
    measured = {
        name: column
        for name, column in (
            ("latency_seconds", latency_column),
            ("input_tokens", input_tokens_column),
            ("output_tokens", output_tokens_column),
            ("usd", cost_column),
        )
        if column
    }
    *paths, folder = [*(logs or []), folder]
    target = folder
    if folder.is_file() or (folder.suffix in _LOG_ENDINGS and not folder.is_dir()):
        # Nothing tells a last log from the folder of the study but what it is.
        paths, folder = [*paths, folder], Path()
    columns = (id_column, ref, system_column, run_column, cluster, *measured.values())
    for name in (*paths, table, data_folder, preset, *columns, *(hyp or []), *(group or [])):
        # The study's files would name it.
        require_utf8(str(name))
    options = {"--table": table, "--folder": data_folder, "--preset": preset}
    chosen = [name for name, value in options.items() if value is not None]
    if paths or (not chosen and any(Path(entry.partition("=")[2]).is_file() for entry in hyp or [])):
        chosen.append(_LOGS)
    details = {
        "--id": id_column,
        "--ref": ref,
        "--hyp": hyp,
        "--system-column": system_column,
        "--run-column": run_column,
        "--latency-column": latency_column,
        "--cost-column": cost_column,
        "--input-tokens-column": input_tokens_column,
        "--output-tokens-column": output_tokens_column,
        "--cluster": cluster,
        "--group": group,
        "--counts": counts is CountsPlace.CACHE,
        "--pseudonyms": pseudonyms,
    }
    detail_options = [name for name, value in details.items() if value]
    if len(chosen) > 1 and paths == [target]:
        raise ConfigurationError(f"{paths[0]} is a file; name a folder for the study, or leave out {chosen[0]}.")
    if len(chosen) > 1:
        raise ConfigurationError(f"{' and '.join(chosen)} do not go together; a study begins with one of them.")
    source = chosen[0] if chosen else ""
    _require_fitting(source, detail_options)

    from misread.cli.inputs import Inputs
    from misread.data import CountsSettings
    from misread.study.content import with_counts
    from misread.study.plan import check_root
    from misread.study.repository import require_tools

    require_tools()
    check_root(folder)
    if not chosen and sys.stdin.isatty() and sys.stdout.isatty():
        from misread.cli.init_questions import ask

        content = ask(folder)
    else:
        content = _describe(
            folder,
            logs=Inputs(files=[*map(str, paths)] or None, hyp=hyp) if source == _LOGS else None,
            table=table,
            data_folder=data_folder,
            preset=preset,
            segment_id=split_list(id_column, option="--id"),
            reference=ref,
            systems=_name_systems(hyp or [], system_column),
            system_column=system_column or "",
            run_column=run_column or "",
            measured=measured,
            cluster=cluster or "",
            groups=group or [],
        )
        content = with_counts(content, CountsSettings(counts=counts.value, pseudonyms=pseudonyms))
    if content.segments is not None and _uses_references(content.settings):
        _warn_of_pairing(replace(content.segments, name=content.settings.datasets[0]))
    _write(folder, content)


def _name_systems(hyp: Sequence[str], system_column: str | None) -> dict[str, str]:
    """Columns or folders by system; of a table with a row per system, the one column of texts by its own name."""
    if not system_column:
        return named_values(hyp, expected="NAME=COLUMN, or with --folder NAME=FOLDER")
    if len(hyp) != 1 or "=" in hyp[0]:
        raise ConfigurationError("--system-column names the systems: name the one column of their texts, --hyp COLUMN.")
    return {hyp[0]: hyp[0]}


def _uses_references(settings: Settings) -> bool:
    """Whether any metric of a study compares outputs with references: only then they may be paired wrongly."""
    from misread.sockets import get_metrics

    return bool(settings.metric_sets) or any(
        metric.uses_references for metric in get_metrics([*settings.metrics.values()])
    )


def _warn_of_pairing(segments: SegmentTable) -> None:
    """Say which outputs fit other references than their own: the score stage would end there."""
    from misread.errors import PairingError
    from misread.evaluation import score_captures
    from misread.io.console import warn
    from misread.normalize import get_normalizer
    from misread.pairing.guard import guard_pairing
    from misread.sockets.metric_names import get_metric

    scored = score_captures(segments.captures(), get_normalizer("none"), [get_metric("cer")], missing="empty")
    for system in scored.values():
        try:
            for fault in guard_pairing(system):
                warn(fault.sentence)
        except PairingError as error:
            warn(str(error))


def _require_fitting(source: str, detail_options: Sequence[str]) -> None:
    """Refuse details that do not go with where the study begins, and a lack of those that it needs."""
    fitting = {
        "--table": ("--id", "--ref", "--hyp", *_LONG, "--cluster", "--group", *_COUNTS),
        "--folder": ("--ref", "--hyp", "--cluster", *_COUNTS),
        _LOGS: ("--hyp", "--cluster", "--group", *_COUNTS),
    }
    for name in detail_options:
        if name not in fitting.get(source, ()):
            *others, last = [option for option, names in fitting.items() if name in names]
            listed = f"{', '.join(others)} or {last}" if others else last
            raise ConfigurationError(f"{name} goes with {listed}{f', not with {source}' if source else ''}.")
    for name in _MEASURED:
        if name in detail_options and "--system-column" not in detail_options:
            raise ConfigurationError(f"{name} needs --system-column as well: it is of rows with one system each.")
    lacking = [name for name in ("--id", "--ref", "--hyp") if source == "--table" and name not in detail_options]
    if source == "--folder" and ("--ref" in detail_options) != ("--hyp" in detail_options):
        lacking = ["--hyp" if "--ref" in detail_options else "--ref"]
    if lacking:
        raise ConfigurationError(
            f"{source} needs {' and '.join(lacking)} as well: `misread init --help` has an example."
        )


def _describe(
    root: Path,
    *,
    logs: Inputs | None,
    table: Path | None,
    data_folder: Path | None,
    preset: str | None,
    segment_id: Sequence[str],
    reference: str | None,
    systems: Mapping[str, str],
    system_column: str,
    run_column: str,
    measured: Mapping[str, str],
    cluster: str,
    groups: Sequence[str],
) -> Content:
    from misread.study.content import (
        describe_benchmark,
        describe_example,
        describe_images,
        describe_logs,
        describe_preset,
        describe_table,
        describe_texts,
        is_benchmark,
    )

    if logs is not None:
        # Recognised, read and named as for `misread score`.
        if not logs.logs:
            listed = ", ".join(logs.files or systems.values())
            raise ConfigurationError(
                f"{listed}: no log of Inspect or lm-evaluation-harness; a table is named by --table, and a folder by "
                "--folder."
            )
        return describe_logs(logs.logs, cluster=cluster, groups=groups)
    if table is not None:
        return describe_table(
            table,
            segment_id=segment_id,
            reference=str(reference),
            systems=systems,
            system_column=system_column,
            run_column=run_column,
            measured=measured,
            cluster=cluster,
            groups=groups,
        )
    if data_folder is not None:
        if not data_folder.is_dir():
            raise ConfigurationError(f"--folder: there is no folder {data_folder}.")
        if is_benchmark(data_folder) and not reference:
            if cluster:
                raise ConfigurationError(f"--cluster does not go with the ground_truth.json of {data_folder}.")
            return describe_benchmark(data_folder, root, engines=installed_engines())
        if reference:
            return describe_texts(data_folder, root, reference=reference, systems=systems, cluster=cluster)
        return describe_images(data_folder, root, engines=installed_engines(), cluster=cluster)
    return describe_example() if preset is None else describe_preset(preset)


def _write(root: Path, content: Content) -> None:
    """Check everything, compose, and only then write."""
    from misread.study.plan import check_plan, plan_study, write_plan
    from misread.study.repository import list_uncommitted

    plan = plan_study(root, content)
    plan = replace(plan, files={**plan.files, "params.yaml": _compose(root, plan).encode()})
    check_plan(root, plan)
    uncommitted = list_uncommitted(root)
    done = write_plan(root, plan)
    settings = content.settings
    read_by = f"{', '.join(settings.systems[:_MOST_NAMES])}{' ...' if len(settings.systems) > _MOST_NAMES else ''}"
    write_out(show_label(f"{', '.join(settings.datasets)}: {content.size or 'data to be fetched'}, read by {read_by}"))
    for line in done:
        write_out(f"ran {line}" if not line.startswith("set") else line)
    write_out(f"wrote {len(plan.files)} files in {show_label(str(root))}: README.md says what they are")
    for path in plan.added:
        write_out(f"added lines to {path}")
    for path in plan.unchanged:
        write_out(f"left {path} as it is")
    if uncommitted:
        write_out(f"left uncommitted changes as they are: {', '.join(map(show_label, uncommitted))}")
    for note in content.notes:
        write_out(show_label(note))
    steps = {} if root.resolve() == Path.cwd() else {_enter(root): ""}
    steps |= _NEXT
    width = max(map(len, steps))
    for number, (command, use) in enumerate(steps.items()):
        write_out(f"{'' if number else 'next:':6}{command:{width}}  {use}".rstrip())


def _enter(root: Path) -> str:
    """Command that enters a folder, whatever its name means to a shell."""
    name = f"./{root}" if str(root).startswith("-") else str(root)
    return f"cd {show_label(shlex.quote(name))}"


def _compose(root: Path, plan: Plan) -> str:
    """Compose and check the configuration of a plan, beside the files that are there."""
    import yaml

    from misread.pipeline.composition import compose_text
    from misread.pipeline.configuration_check import check_configuration
    from misread.pipeline.params import Params

    with TemporaryDirectory(prefix="misread-") as name:
        for path, content in plan.files.items():
            if path.startswith("conf/"):
                target = Path(name) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        text = compose_text(Path(name) / "conf", [])
    check_configuration(Params(yaml.safe_load(text), Path("conf"), root))
    return text
