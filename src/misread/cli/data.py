"""`misread data list` and `misread data fetch`: public data sets."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.io.console import write_out
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.data import Dataset
    from misread.pipeline.params import Params


def list_public() -> None:
    """List the public data sets.

    With licence, size of the download, and where each is or how to fetch it.
    """
    from misread.data.fetching import public_cards, read_source
    from misread.pipeline import paths

    rows = [("data set", "licence", "download", "")]
    cards = public_cards(paths.DATA)
    readers = _readers(cards)
    for dataset_id, card in cards.items():
        source, root = read_source(card), readers[dataset_id].root
        state = f"at {root}" if Path(root).is_dir() else f"misread data fetch {dataset_id}"
        rows.append((dataset_id, show_label(source.licence), f"{source.megabytes:g} MB", show_label(state)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        write_out("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def fetch_public(
    dataset: Annotated[str, typer.Argument(help="Id of the data set; `misread data list` shows them.")],
    copy: Annotated[Path | None, typer.Option("--from", help="A check-out of the source repository at hand.")] = None,
) -> None:
    """Fetch a public data set.

    It is written below ./downloads or, in a study, below the folder that its data_root names. The source repository is
    fetched at one commit, only as far as it is needed, and converted; the result must be the files that
    data/DATASET/files.sha256 lists. An interrupted download goes on where it stopped.
    """
    from misread.data.fetching import fetch, find_card, read_source
    from misread.pipeline import paths

    card = find_card(paths.DATA, dataset)
    source, reader = read_source(card), _readers([dataset])[dataset]
    write_out(show_label(f"{dataset}: {reader.provenance}"))
    target = Path(reader.root)
    if target.exists():
        _require_listed(dataset, card, target, root=reader.root)
        write_out(show_label(f"{reader.root} is there already, with the files that {card / 'files.sha256'} lists"))
    else:
        origin = copy or f"{source.repository} ({source.megabytes:g} MB)"
        write_out(show_label(f"licence {source.licence}; from {origin} at {source.commit[:7]} to {target}"))
        files = fetch(card, target, copy=copy)
        made = f"{files} {'file' if files == 1 else 'files'} in {target}"
        write_out(show_label(f"{made}, as {card / 'files.sha256'} lists"))
    is_own = bool(_configured([dataset]))
    if is_own and paths.card(dataset) != card:
        # Stages depend on the card in the project's own folder.
        _copy_card(card, paths.card(dataset))
        write_out(f"wrote {paths.card(dataset)}; commit it")
    write_out(show_label(f"score it: {'dvc repro' if is_own else _how_to_score(dataset, reader)}"))


def _copy_card(card: Path, target: Path) -> None:
    """Copy the files of a card without their modes: those of an installation may be read-only."""
    for path in card.rglob("*"):
        if path.is_file() and path.parent.name != "__pycache__":
            copy = target / path.relative_to(card)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def _require_listed(dataset: str, card: Path, target: Path, *, root: str) -> None:
    from misread.data.fetching import read_listed
    from misread.errors import FetchError
    from misread.io.file_lists import LIST_NAME, differing_files, list_files, read_list

    if differing := differing_files(read_listed(card), read_list(list_files(target), card / LIST_NAME)):
        raise FetchError(
            f"{root} exists and is not what {card / LIST_NAME} lists ({', '.join(differing[:3])} "
            f"missing, new or changed); move it away, then run `misread data fetch {dataset}` again."
        )


def _readers(datasets: Collection[str]) -> dict[str, Dataset]:
    """Readers of data sets: as conf/ has them, whether or not params.yaml has, else as the presets of misread do."""
    from misread.pipeline.composition import CONF, compose_datasets

    own = _configured(datasets)
    params = compose_datasets(CONF, own) if own else None
    return {
        dataset: (params if params and dataset in own else _preset(dataset)).dataset(dataset) for dataset in datasets
    }


def _configured(datasets: Collection[str]) -> list[str]:
    """Those data sets that the project in this folder has in its configuration, if there is a project."""
    from misread.pipeline.composition import CONF

    if not (CONF / "config.yaml").is_file():
        return []
    return [dataset for dataset in datasets if (CONF / "datasets" / f"{dataset}.yaml").is_file()]


def _preset(dataset: str) -> Params:
    """Settings of a data set in the presets, which are read without Hydra."""
    from misread.io.yaml_files import read_yaml
    from misread.pipeline.params import Params
    from misread.pipeline.paths import SHIPPED_CONF

    path = SHIPPED_CONF / "datasets" / f"{dataset}.yaml"
    data_root = read_yaml(SHIPPED_CONF / "config.yaml")["data_root"]
    return Params({"data_root": data_root, "datasets": read_yaml(path)["datasets"]}, path)


def _how_to_score(dataset: str, reader: Dataset) -> str:
    """Line that scores the outputs that a data set brings or, where it brings none, makes a study of it."""
    from misread.data import SegmentFiles, Table
    from misread.data.formats import find_format

    root = reader.root.rstrip("/")
    words: list[str] = ["misread", "score"]
    if isinstance(reader, Table):
        words += [
            "--table",
            f"{root}/{reader.file}",
            "--segment-id",
            ",".join(reader.segment_id),
            "--ref",
            reader.reference,
        ]
        systems = {name: name for name in reader.recorded}
    elif isinstance(reader, SegmentFiles):
        form = find_format(reader.format)
        form = form.given(**{name: f"{root}/{path}" for name, path in form.changed.items() if name in form.folders})
        words += ["--format", str(form), "--ref", f"{root}/{reader.reference}"]
        systems = {name: f"{root}/{file}" for name, file in reader.recorded.items()}
    else:
        return f"misread init --preset {dataset} . && dvc repro"
    words += [word for name, source in systems.items() for word in ("--hyp", f"{name}={source}")]
    words += ["--cluster", reader.cluster] if reader.cluster else []
    return shlex.join(words)
