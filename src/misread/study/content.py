"""Content of a study: data sets and systems as files in its conf/ and data/."""

import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from misread.data.benchmark_folder import TRUTH
from misread.data.counts_settings import CountsSettings
from misread.data.example import find_example
from misread.data.fetching import brought_data, find_card
from misread.data.formats.log import Log
from misread.data.segment_table import SegmentTable
from misread.data.table_columns import TableColumns
from misread.errors import ConfigurationError, InputFileError, setting
from misread.io.checks.choices import check_choice, require_utf8
from misread.io.file_lists import LIST_NAME, is_listed, list_files
from misread.pipeline.params import is_id
from misread.pipeline.paths import SHIPPED_CONF
from misread.study.repository import watched_folder
from misread.study.template import Settings, dump_settings
from misread.text.nouns import count_of

_IMAGES: Final = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff")
# Endings of transcriptions; the first group that fits any image is used for all.
_TRANSCRIPTIONS: Final = ((".gt.txt", ".txt"), (".xml",), (".hocr",))


@dataclass(frozen=True, kw_only=True)
class Content:
    """Settings of a study, the files that they need, and notes about them."""

    settings: Settings
    files: Mapping[str, bytes] = field(default_factory=dict)  # by path in the study
    notes: Sequence[str] = ()
    segments: SegmentTable | None = None  # None for data that are not here yet

    @property
    def size(self) -> str:
        """Number of segments, and of clusters if there are any; empty where they are not known."""
        from misread.stats.results import count_clusters

        if self.segments is None:
            return ""
        number, clusters = len(self.segments), self.segments.cluster
        counted = count_of(number, "segment")
        if clusters is None:
            return counted
        return f"{counted} in {count_clusters(len(set(clusters)), self.segments.cluster_name)}"


def describe_table(table: Path, columns: TableColumns, systems: Mapping[str, str]) -> Content:
    """A study of a table, which is copied into data/; `systems` maps names to columns where a row has all of them.

    Raises InputFileError or UnknownNameError if the table cannot be read as it is described.
    """
    from misread.data import read_table
    from misread.data.run_columns import record_runs

    if not columns.segment_id:
        raise ConfigurationError(f"{table}: {setting('segment_id')} is missing: the columns that identify a segment.")
    segments = read_table(table, columns, systems)
    if columns.system:
        systems = {name: name for name in segments.hypotheses}
    if columns.run:
        # A study numbers its runs.
        record_runs(segments, table.name)
    return _of_table(table.read_bytes(), table.name, columns, systems, segments, copied=f"{table} was copied")


def describe_segments(segments: SegmentTable) -> Content:
    """A study of segments as they were read: a table in data/ has a row for each segment, system and run.

    Raises ConfigurationError for references that can be read in several ways, which no table has.
    """
    from misread.data.run_columns import record_runs

    if segments.facts.alternatives:
        raise ConfigurationError(
            f"{segments.name}: references have alternatives, which a table has no place for; `misread score` scores "
            "them, and misread.data.SegmentFiles is a data set of such files."
        )
    record_runs(segments, segments.name)
    cluster = {segments.cluster_name or "cluster": segments.cluster} if segments.cluster is not None else {}
    labels = {**cluster, **segments.groups}
    key, reference, system, run, hypothesis = (
        next(
            name for name in (kind, *(f"{kind}_{number}" for number in range(1, len(labels) + 2))) if name not in labels
        )
        for kind in ("segment_id", "reference", "system", "run", "hypothesis")
    )
    runs = {name: segments.runs.get(name, {"1": texts}) for name, texts in segments.hypotheses.items()}
    rows = (
        {
            key: segment_id,
            reference: segments.references[row],
            **{name: values[row] for name, values in labels.items()},
            system: name,
            **({run: number} if segments.runs else {}),
            hypothesis: texts[row],
        }
        for row, segment_id in enumerate(segments.segment_id)
        for name, by_run in runs.items()
        for number, texts in by_run.items()
    )
    columns = TableColumns(
        reference=reference,
        segment_id=[key],
        cluster=next(iter(cluster), ""),
        groups=[*segments.groups],
        system=system,
        hypothesis=hypothesis,
        run=run if segments.runs else "",
    )
    content = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()
    systems = {name: name for name in segments.hypotheses}
    annotations = [segments.annotations, *segments.annotations_of.values()]
    lost = dict.fromkeys(name for names in annotations for name in names)
    without = f", without {', '.join(lost)}," if lost else ""
    copied = f"texts were copied as they were read{without}"
    return _of_table(content, f"{segments.name}.jsonl", columns, systems, segments, copied=copied)


def _of_table(
    content: bytes,
    file: str,
    columns: TableColumns,
    systems: Mapping[str, str],
    segments: SegmentTable,
    *,
    copied: str,
) -> Content:
    """A study of a table in data/; `copied` says what was copied there."""
    name = file.removesuffix(Path(file).suffix)
    numbers = {system: len(segments.runs.get(system, ("1",))) for system in systems} if columns.run else {}
    dataset = make_id(name)
    section = {
        "_target_": "misread.data.Table",
        "root": f"data/{dataset}",
        "watched": f"data/{dataset}",
        "file": file,
        **columns.settings,
        "recorded": list(dict.fromkeys(systems.values())),
        "provenance": f"{file}; say here who made it, from what, and under which licence",
    }
    recorded, system_files = _recorded(systems, numbers)
    return Content(
        settings=_settings(name, recorded, dataset),
        files={f"data/{dataset}/{file}": content, **_dataset(dataset, section, name), **system_files},
        notes=[f"{copied} to data/{dataset}/{file}: that copy is what the study reads"],
        segments=segments,
    )


def describe_logs(logs: Mapping[str, Log], *, cluster: str = "", groups: Sequence[str] = ()) -> Content:
    """A study of logs by the name of their system, which are copied into data/; clusters and groups are keys of them.

    Its metrics are the scores that all logs have, or error rates where there are none. Raises InputFileError or
    UnknownNameError as `misread.data.join_logs`.
    """
    from misread.data import find_scores, join_logs
    from misread.data.run_columns import record_runs
    from misread.io.names import write_name
    from misread.sockets import get_metrics

    segments = join_logs(logs, cluster=cluster, groups=groups)
    record_runs(segments, " and ".join(log.source for log in logs.values()))
    dataset = make_id(segments.name)
    ids: dict[str, str] = {}
    for name in logs:
        ids[name] = make_id(name, ids.values())
    paths = {ids[name]: Path(log.source) for name, log in logs.items()}
    section = {
        "_target_": "misread.data.Logs",
        "root": f"data/{dataset}",
        "watched": f"data/{dataset}",
        "recorded": {system: f"{system}/{path.name}" for system, path in paths.items()},
        **({"cluster": cluster} if cluster else {}),
        **({"groups": [*groups]} if groups else {}),
        "provenance": f"logs of {segments.name}; say here who made them, of what, and under which licence",
    }
    recorded, system_files = _recorded(ids, {name: len(segments.runs.get(name, ("1",))) for name in ids})
    settings = _settings(segments.name, recorded, dataset)
    if scores := find_scores(logs):
        names = [write_name("recorded", score) for score in scores.values()]
        ids_of_metrics = [metric.id for metric in get_metrics(names)]
        settings = replace(settings, metric_sets=[], metrics=dict(zip(ids_of_metrics, names, strict=True)))
    return Content(
        settings=settings,
        files={
            **{f"data/{dataset}/{system}/{path.name}": path.read_bytes() for system, path in paths.items()},
            **_dataset(dataset, section, segments.name),
            **system_files,
        },
        notes=[f"the logs were copied to data/{dataset}/: these copies are what the study reads"],
        segments=segments,
    )


def describe_texts(
    folder: Path, root: Path, *, reference: str, systems: Mapping[str, str], cluster: str = ""
) -> Content:
    """A study of folders of texts below one folder, which stays where it is; `root` is the study's.

    Raises InputFileError if they cannot be paired.
    """
    from misread.data import TextFolders

    segments = TextFolders(str(folder), reference, systems, cluster=cluster).segments()
    section = {
        "_target_": "misread.data.TextFolders",
        "reference": reference,
        # By column of the recorded outputs, which are named after the folders.
        "recorded": {name: name for name in dict.fromkeys(systems.values())},
        **({"cluster": cluster} if cluster else {}),
    }
    return _outside(folder, root, section, *_recorded(systems), segments)


def describe_images(folder: Path, root: Path, *, engines: Sequence[str], cluster: str = "") -> Content:
    """A study of images with transcriptions in the same folder, which stays where it is, read by engines.

    Images are taken for pages if any transcription has more than one line; images without one are left out if others
    have one. PAGE-XML, ALTO and hOCR are recognised by content. Raises InputFileError if there are no transcriptions.
    """
    from misread.data import ImageFolder
    from misread.data.formats.recognition import guess_format

    listed = [path for path in sorted(folder.rglob("*")) if path.is_file() and is_listed(path.relative_to(folder))]
    names = {path.relative_to(folder).as_posix(): path for path in listed}
    images = [name for name in names if Path(name).suffix.lower() in _IMAGES]
    ways = (
        [ending for ending in way if any(_beside(name, ending) in names for name in images)] for way in _TRANSCRIPTIONS
    )
    endings: list[str] = next(filter(None, ways), [])
    if not images or not endings:
        raise InputFileError(
            f"{folder} has neither images with a transcription next to each (page1.png, page1.gt.txt, page1.txt or "
            f"page1.xml) nor folders of texts; name these with {setting('ref', 'FOLDER')} and "
            f"{setting('hyp', 'NAME=FOLDER')}."
        )
    texts = {name: [file for ending in endings if (file := _beside(name, ending)) in names] for name in images}
    paths = [names[transcription] for transcriptions in texts.values() for transcription in transcriptions]
    form = guess_format(paths[0], kinds=["pages"])
    written = (path.read_bytes() for path in paths)
    is_page = form is not None or any(len(text.strip().splitlines()) > 1 for text in written)
    patterns = {_pattern_of(name) for name, transcriptions in texts.items() if transcriptions}
    without = [name for name, transcriptions in texts.items() if not transcriptions and _pattern_of(name) in patterns]
    section: dict[str, Any] = {
        "images": sorted(patterns),
        "medium": "page_image" if is_page else "line_image",
        "transcription": endings,
        **({"format": form.name} if form else {}),
        **({"cluster": cluster} if cluster else {}),
        **({"without_transcription": "leave_out"} if without else {}),
    }
    segments = ImageFolder(root=str(folder), **section).segments()
    section = {"_target_": "misread.data.ImageFolder", **section}
    chosen = [f"{engine}_page" if is_page else engine for engine in engines]
    content = _outside(folder, root, section, chosen, {}, segments)
    notes = [
        (f"images are taken for {('pages' if is_page else 'lines')}; if they are not, change medium in conf/datasets/")
    ]
    if without:
        counted = "1 image" if len(without) == 1 else f"{len(without):,} images"
        is_left = "is" if len(without) == 1 else "are"
        notes.append(f"{counted} without a transcription {is_left} left out, such as {without[0]}")
    return replace(content, notes=[*content.notes, *notes])


def describe_benchmark(folder: Path, root: Path, *, engines: Sequence[str]) -> Content:
    """A study of document images with ground_truth.json, read by engines in a folder that stays where it is.

    Raises InputFileError if images and ground truth do not match.
    """
    from misread.data import BenchmarkFolder

    segments = BenchmarkFolder(str(folder)).segments()
    section: dict[str, Any] = {"_target_": "misread.data.BenchmarkFolder", "reference": "full_text"}
    return _outside(folder, root, section, [f"{engine}_page" for engine in engines], {}, segments)


def is_benchmark(folder: Path) -> bool:
    """Whether a folder has the layout that `describe_benchmark` reads."""
    return (folder / TRUTH).is_file()


def preset_names() -> list[str]:
    """Experiments that a study can start from: those that choose data sets without changing their settings."""
    import yaml

    paths = sorted((SHIPPED_CONF / "experiment").glob("*.yaml"))
    return [path.stem for path in paths if "datasets" not in yaml.safe_load(path.read_text(encoding="utf-8"))]


def describe_preset(name: str) -> Content:
    """The study of a preset, on public data that misread includes or that are fetched automatically."""
    import yaml

    check_choice("preset", name, preset_names())
    text = (SHIPPED_CONF / "experiment" / f"{name}.yaml").read_text(encoding="utf-8")
    experiment = yaml.safe_load(text)
    chosen: dict[str, list[str]] = {}
    for entry in experiment.pop("defaults"):
        chosen |= {group.removeprefix("override /"): names for group, names in entry.items()}
    about = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")][2:]
    settings = Settings(
        title=name,
        about=" ".join(about),
        systems=chosen["systems"],
        datasets=chosen["datasets"],
        data_root="downloads",
        metric_sets=chosen.get("metrics", ["ocr"]),
        **experiment,
    )
    data_files: dict[str, bytes] = {}
    notes = []
    for dataset in settings.datasets:
        brought = brought_data(dataset)
        folder = brought or find_card(Path("data"), dataset)
        listed = (path for path in sorted(folder.rglob("*")) if path.is_file() and is_listed(path.relative_to(folder)))
        data_files |= {f"data/{dataset}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in listed}
        source = "was brought by misread" if brought else f"comes with `misread data fetch {dataset}`"
        notes.append(f"the data {source}; data/{dataset}/README.md says what it is")
    return Content(settings=settings, files=data_files, notes=notes)


def describe_example() -> Content:
    """A small study that runs at once: the example that misread brings."""
    systems = {"Tesseract": "tesseract", "RapidOCR": "rapidocr"}
    columns = TableColumns(reference="text", segment_id=["id"], cluster="document")
    content = describe_table(find_example(), columns, systems)
    section = "provenance: 40 lines rendered and read by two engines, part of misread's own experiment, Apache-2.0\n"
    described = content.files["conf/datasets/lines.yaml"].decode()
    described = re.sub(r"provenance: .*\n", lambda _: section, described)
    return replace(
        content,
        files={**content.files, "conf/datasets/lines.yaml": described.encode()},
        notes=["the data is an example to be replaced: `misread init --help` says how to begin with your own"],
    )


def make_id(name: str, taken: Collection[str] = ()) -> str:
    """An id for a name: a-z, 0-9 and _; raises ConfigurationError if two names would have one id."""
    identifier = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "data"
    identifier = next(filter(is_id, (identifier, f"{identifier}_", f"id_{identifier}")))
    if identifier in taken:
        raise ConfigurationError(f"two names would have the id {identifier!r} (a-z, 0-9 and _); give {name!r} another.")
    return identifier


def _settings(title: str, systems: Sequence[str], dataset: str) -> Settings:
    return Settings(title=title, about=f"Results on the data set `{dataset}`.", systems=systems, datasets=[dataset])


def _recorded(systems: Mapping[str, str], runs: Mapping[str, int] = {}) -> tuple[list[str], dict[str, bytes]]:
    """Ids of systems that ran elsewhere, and their files in conf/systems/; `systems` maps names to recorded outputs.

    `runs` are numbers of runs, by name, of outputs that are recorded by run.
    """
    ids: list[str] = []
    system_files = {}
    for name, outputs in systems.items():
        system = make_id(name, ids)
        ids.append(system)
        section = {"_target_": "misread.engines.Recorded", "revision": 1}
        if name in runs:
            section |= {"name": f"{outputs}.{{run}}", "runs": runs[name]}
        elif outputs != system:
            section["name"] = outputs
        system_files[f"conf/systems/{system}.yaml"] = _group_file("systems", system, section, name)
    return ids, system_files


def _dataset(dataset: str, section: Mapping[str, Any], name: str) -> dict[str, bytes]:
    return {f"conf/datasets/{dataset}.yaml": _group_file("datasets", dataset, section, name)}


def _group_file(group: str, entry: str, section: Mapping[str, Any], name: str) -> bytes:
    """A file of conf/ with its section and the displayed name."""
    return _global_file({group: {entry: dict(section)}, "report": {"names": {entry: name}}})


def _global_file(content: Mapping[str, Any]) -> bytes:
    return f"# @package _global_\n{dump_settings(content)}".encode()


def with_counts(content: Content, counts: CountsSettings) -> Content:
    """The study with these settings of committed counts for its own data sets."""
    import yaml

    settings = {name: value for name, value in asdict(counts).items() if value != getattr(CountsSettings, name)}
    files = dict(content.files)
    for path in files if settings else ():
        if path.startswith("conf/datasets/"):
            described = yaml.safe_load(files[path])
            for section in described["datasets"].values():
                section |= settings
            files[path] = _global_file(described)
    return replace(content, files=files)


def _outside(
    folder: Path,
    root: Path,
    section: dict[str, Any],
    systems: Sequence[str],
    files: Mapping[str, bytes],
    segments: SegmentTable,
) -> Content:
    """A study of a folder that is not copied, with the list of its files."""
    folder, root = folder.resolve(), root.resolve()
    require_utf8(folder)
    dataset = make_id(folder.name)
    is_inside = folder.is_relative_to(root)
    data_root = ".." if is_inside else Path(os.path.relpath(folder.parent, root)).as_posix()
    dataset_root = folder.relative_to(root).as_posix() if is_inside else f"{{data_root}}/{folder.name}"
    if folder == root:
        raise ConfigurationError(f"{folder} is the study's own folder; put the data into a folder in it.")
    watched = watched_folder(root, dataset_root, dataset)
    section = {
        "_target_": section.pop("_target_"),
        "root": dataset_root,
        "watched": watched,
        **section,
        "provenance": f"{folder.name}; say here who made it, from what, and under which licence",
    }
    settings = Settings(
        title=folder.name,
        about=f"Results on the data set `{dataset}`.",
        systems=systems,
        datasets=[dataset],
        data_root=data_root,
    )
    # It refuses names that are not UTF-8.
    listing = list_files(folder)
    listed = {} if watched == dataset_root else {f"data/{dataset}/{LIST_NAME}": listing.encode()}
    seen = (
        f"data/{dataset}/{LIST_NAME} lists its files"
        if listed
        else ("commit it, since `dvc repro` checks its files for changes")
    )
    notes = [f"{folder.name} stays where it is; {seen}"]
    return Content(
        settings=settings,
        files={**_dataset(dataset, section, folder.name), **files, **listed},
        notes=notes,
        segments=segments,
    )


def _beside(image: str, ending: str) -> str:
    return f"{_folder_of(image)}{Path(image).stem}{ending}"


def _pattern_of(image: str) -> str:
    """Glob pattern of the images of one ending in one folder."""
    return f"{_folder_of(image)}*{Path(image).suffix}"


def _folder_of(name: str) -> str:
    return name.removesuffix(Path(name).name)
