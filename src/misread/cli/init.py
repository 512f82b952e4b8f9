"""`misread init`: make a study of one's own in a folder."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import fields, replace
from enum import StrEnum
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

import typer

from misread.cli.input_options import InputOptions
from misread.cli.input_reading import read_inputs
from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import metric_names, metrics_of_option, named_values
from misread.errors import ConfigurationError, PairingError, setting
from misread.io.checks.choices import require_utf8
from misread.io.console import warn, write_out
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.data.segment_table import SegmentTable
    from misread.study.content import Content
    from misread.study.plan import Plan
    from misread.study.template import Settings

_NEXT: Final = {
    "dvc repro": "then open reports/index.html",
    "git add -A && git commit -m Results": "keeps settings and results together",
    "misread diff": "says what the next change made better",
}
_MOST_NAMES: Final = 8
_LOGS: Final = "logs"
_LOG_ENDINGS: Final = (".eval", ".json", ".jsonl")


_TEXTS: Final = "files"
_COLUMNS: Final = ("segment_id", "ref", "hyp", "cluster", "groups")
_PACKAGES: Final = {"tesseract": "tesserocr", "rapidocr": "rapidocr"}
"""Engines that read images, and what they need."""

_COUNTED: Final = ("normalizer", "metrics", "missing", "counts", "pseudonyms")
_FITTING: Final = {
    "table": (*_COLUMNS, *_COUNTED),
    "data_folder": ("ref", "hyp", "cluster", *_COUNTED),
    _LOGS: ("hyp", "cluster", "groups", *_COUNTED),
    _TEXTS: tuple(dict.fromkeys([*(option.name for option in fields(InputOptions)), *_COUNTED])),
}
"""Options that go with what a study begins with."""


class CountsPlace(StrEnum):
    """Places with the counts of every segment."""

    GIT = "git"
    CACHE = "cache"


@takes_records(without=("files", "annotations"))
def init(
    *,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Files, folders or logs, as of `misread score`; they are copied."),
    ] = None,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of the study; made if it is not there.")
    ] = Path(),
    inputs: Inputs,
    normalizer: Annotated[str, typer.Option(help="Normalizer of both sides, as of `misread score`.")] = "whitespace",
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            help="Metrics by field, such as asr, ocr or pages (`misread list sets`), or by name, as of "
            "`misread score`; by default ocr, of logs their scores; repeat."
        ),
    ] = None,
    data_folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            help="Folder of images, with a transcription next to each or with ground_truth.json; with --ref and --hyp, "
            "folder that holds folders of texts. It is not copied.",
        ),
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Preset of misread on public data, such as das22.")] = None,
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

    It sets up Git and DVC if they are not, and overwrites nothing. Without options it writes an example to be replaced.

    \b
      misread init --table lines.csv --segment-id id --ref truth --cluster page --hyp one=one --hyp two=two .
      misread init gold.srt a.srt b.srt --metrics asr --normalizer english my_study
      misread init --paths-table pages.csv --ref truth --hyp one=tesseract --cluster book my_study
      misread init --folder texts --ref truth --hyp one=ocr/one --hyp two=ocr/two my_study
      misread init --folder scans my_study
      misread init large.eval small.eval --cluster box my_study
      misread init --preset das22 my_study
    """
    target = folder
    paths, folder = _split_paths(paths or [], folder)
    inputs = replace(inputs, files=[*map(str, paths)] or None, normalizer=normalizer)
    for name in (*paths, data_folder, preset, *chain.from_iterable(map(_texts_of, vars(inputs).values()))):
        # The study's files would name it.
        require_utf8(str(name))
    options = {"table": inputs.table, "data_folder": data_folder, "preset": preset}
    chosen = [name for name, value in options.items() if value is not None]
    if chosen and paths == [target]:
        raise ConfigurationError(f"{target} is a file; name a folder for the study, or leave out {setting(chosen[0])}.")
    source = _find_source(chosen, inputs)
    flags = {"normalizer": normalizer != "whitespace", "metrics": metrics, "counts": counts is CountsPlace.CACHE}
    flags |= {"pseudonyms": pseudonyms}
    details = [name for name in _FITTING[_TEXTS] if name not in (*flags, "files", "table") and inputs.has(name)]
    _require_fitting(source, [*details, *(name for name, is_set in flags.items() if is_set)])

    from misread.data import CountsSettings
    from misread.study.content import with_counts
    from misread.study.plan import check_root
    from misread.study.repository import require_tools

    require_tools()
    check_root(folder)
    content = _describe(folder, source, inputs, data_folder, preset, metrics or ["ocr"])
    content = with_counts(content, CountsSettings(counts=counts.value, pseudonyms=pseudonyms))
    if source:
        content = replace(content, settings=_with_rules(content.settings, inputs, metrics))
    if content.segments is not None and _uses_references(content.settings):
        _warn_of_pairing(replace(content.segments, name=content.settings.datasets[0]))
    _write(folder, content)


def _split_paths(paths: Sequence[Path], folder: Path) -> tuple[list[Path], Path]:
    """Texts or logs, and the folder of the study; nothing tells a last file from that folder but what it is."""
    if folder.is_file() or (folder.suffix in _LOG_ENDINGS and not folder.is_dir()):
        return [*paths, folder], Path()
    return [*paths], folder


def _with_rules(settings: Settings, inputs: Inputs, metrics: Sequence[str] | None) -> Settings:
    """The settings with the normalizer, the metrics and the policy for missing texts that were chosen."""
    from misread.cli.normalizer_option import describe_normalizer
    from misread.sockets import get_metrics

    chosen = describe_normalizer(inputs.chosen_normalizer)
    settings = replace(settings, normalizer=chosen, missing=inputs.missing)
    if not metrics:
        return settings
    sets, names = metric_names(metrics)
    by_id = {metric.id: metric.name or metric.id for metric in get_metrics(names)} if names else {}
    return replace(settings, metric_sets=[*sets], metrics=by_id)


def _texts_of(value: object) -> Sequence[str]:
    """Texts that an option has."""
    return [value] if isinstance(value, str) else value if isinstance(value, list) else []


def _find_source(chosen: list[str], inputs: Inputs) -> str:
    """The option that a study begins with, logs or other files; none if nothing is given."""
    has_texts = bool(inputs.files or inputs.paths_table or (not chosen and (inputs.hyp or inputs.ref)))
    if has_texts:
        chosen = [*chosen, _LOGS if inputs.logs else _TEXTS]
    if len(chosen) > 1:
        listed = " and ".join(name if name == _TEXTS else setting(name) for name in chosen)
        raise ConfigurationError(f"{listed} do not go together; a study begins with one of them.")
    return chosen[0] if chosen else ""


def _uses_references(settings: Settings) -> bool:
    """Whether any metric of a study compares outputs with references: only then they may be paired wrongly."""
    from misread.sockets import get_metrics

    return bool(settings.metric_sets) or any(
        metric.uses_references for metric in get_metrics([*settings.metrics.values()])
    )


def _warn_of_pairing(segments: SegmentTable) -> None:
    """Say which outputs fit other references than their own: the score stage would end there."""
    from misread.evaluation import score_captures
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


def _require_fitting(source: str, details: Sequence[str]) -> None:
    """Refuse details that do not go with what the study begins with, and a lack of those that it needs."""
    for name in details:
        fits = [option for option, names in _FITTING.items() if name in names]
        if source not in fits:
            *others, last = map(setting, fits)
            listed = f"{', '.join(others)} or {last}" if others else last
            against = f", not with {setting(source)}" if source else ""
            raise ConfigurationError(f"{setting(name)} goes with {listed}{against}.")
    lacking = [name for name in ("segment_id", "ref", "hyp") if source == "table" and name not in details]
    if source == "data_folder" and ("ref" in details) != ("hyp" in details):
        lacking = ["hyp" if "ref" in details else "ref"]
    if lacking:
        raise ConfigurationError(
            f"{setting(source)} needs {' and '.join(map(setting, lacking))} as well: `misread init --help` has an "
            "example."
        )


def _describe(
    root: Path, source: str, inputs: Inputs, data_folder: Path | None, preset: str | None, metrics: Sequence[str]
) -> Content:
    from misread.study.content import (
        describe_example,
        describe_logs,
        describe_preset,
        describe_segments,
        describe_table,
    )

    if source == _TEXTS:
        return describe_segments(read_inputs(inputs, metrics_of_option(metrics)))
    if source == _LOGS:
        # Recognised, read and named as for `misread score`.
        return describe_logs(inputs.logs, cluster=inputs.cluster or "", groups=inputs.groups or [])
    if source == "table":
        sources = inputs.sources
        assert sources.table is not None and sources.columns is not None  # noqa: S101, PT018  a table has columns
        return describe_table(sources.table, sources.columns, sources.systems)
    if data_folder is not None:
        return _describe_folder(root, inputs, data_folder)
    return describe_example() if preset is None else describe_preset(preset)


def _describe_folder(root: Path, inputs: Inputs, folder: Path) -> Content:
    from misread.study.content import describe_benchmark, describe_images, describe_texts, is_benchmark

    cluster = inputs.cluster or ""
    if not folder.is_dir():
        raise ConfigurationError(f"{setting('data_folder')}: there is no folder {folder}.")
    if is_benchmark(folder) and not inputs.ref:
        if cluster:
            raise ConfigurationError(f"{setting('cluster')} does not go with the ground_truth.json of {folder}.")
        return describe_benchmark(folder, root, engines=installed_engines())
    if inputs.ref:
        systems = named_values(inputs.hyp or [], expected="NAME=FOLDER")
        return describe_texts(folder, root, reference=inputs.ref, systems=systems, cluster=cluster)
    return describe_images(folder, root, engines=installed_engines(), cluster=cluster)


def installed_engines() -> list[str]:
    """Engines that can read images here; raises ConfigurationError, which says how to get one, if there is none."""
    engines = [engine for engine, package in _PACKAGES.items() if find_spec(package)]
    if not engines:
        raise ConfigurationError("no engine is installed that could read images: pip install 'misread[tesseract]'.")
    return engines


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
    metrics = ", ".join([*settings.metric_sets, *settings.metrics.values()])
    rules = settings.normalizer if isinstance(settings.normalizer, str) else settings.normalizer["name"]
    write_out(show_label(f"metrics {metrics}, normalizer {rules}: chosen in conf/config.yaml"))
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
    """Compose and check the configuration of a plan, together with existing files."""
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
