"""`misread data list` and `misread data fetch`: public data sets."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.io.console import write_out
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.data import Dataset


def list_public() -> None:
    """List the public data sets.

    With licence, size of the download, and where each is or how to fetch it.
    """
    from misread.data.fetching import public_cards, read_source
    from misread.pipeline import paths
    from misread.storage.remote import has_copy, is_remote

    rows = [("data set", "licence", "download", "")]
    cards = public_cards(paths.DATA)
    readers = _readers(cards)
    for dataset_id, card in cards.items():
        source, root = read_source(card), readers[dataset_id].root
        is_there = has_copy(root) if is_remote(root) else Path(root).is_dir()
        state = f"at {root}" if is_there else f"misread data fetch {dataset_id}"
        rows.append((dataset_id, show_label(source.licence), f"{source.megabytes:g} MB", show_label(state)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        write_out("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def fetch_public(
    dataset: Annotated[str, typer.Argument(help="Id of the data set; `misread data list` shows them.")],
    copy: Annotated[
        Path | None, typer.Option("--from", help="A clone or a check-out of the source repository at hand.")
    ] = None,
) -> None:
    """Fetch a public data set.

    It goes below the folder that the setting data_root names. The source repository is fetched at one commit, only as
    far as it is needed, and converted; the result must be the files that data/DATASET/files.sha256 lists. A broken
    download goes on where it stopped. Where data_root is an address such as s3://bucket/folder, what is there is copied
    and compared with the list.
    """
    from misread.data.fetching import fetch, find_card, read_source
    from misread.pipeline import paths
    from misread.storage.remote import is_remote

    card = find_card(paths.DATA, dataset)
    source, reader = read_source(card), _readers([dataset])[dataset]
    write_out(show_label(f"{dataset}: {reader.provenance}"))
    target = _copied(dataset, reader.root) if is_remote(reader.root) else Path(reader.root)
    if target.exists():
        _require_listed(dataset, card, target, root=reader.root)
        write_out(show_label(f"{reader.root} is there already, with the files that {card / 'files.sha256'} lists"))
    else:
        origin = copy or f"{source.repository} ({source.megabytes:g} MB)"
        write_out(show_label(f"licence {source.licence}; from {origin} at {source.commit[:7]} to {target}"))
        files = fetch(card, target, copy=copy)
        made = f"{files} {'file' if files == 1 else 'files'} in {target}"
        write_out(show_label(f"{made}, as {card / 'files.sha256'} lists"))
    if paths.card(dataset) != card:
        # Stages depend on the card in the project's own folder.
        shutil.copytree(card, paths.card(dataset), ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        write_out(f"wrote {paths.card(dataset)}; commit it")


def _copied(dataset: str, root: str) -> Path:
    """Path of the local copy of an address; nothing is written to the address."""
    from misread.errors import MissingDataError
    from misread.storage.remote import fetch_folder

    try:
        return fetch_folder(root, setting=f"datasets.{dataset}.root")
    except MissingDataError as error:
        raise MissingDataError(
            f"{error} `misread data fetch` writes to this machine alone: set data_root to a folder, fetch, and copy "
            "the folder to the address with the tools of its store."
        ) from None


def _require_listed(dataset: str, card: Path, target: Path, *, root: str) -> None:
    from misread.data.fetching import read_listed
    from misread.errors import FetchError
    from misread.io.file_lists import LIST_NAME, differing_files, list_files, read_list
    from misread.storage.remote import is_remote

    if differing := differing_files(read_listed(card), read_list(list_files(target), card / LIST_NAME)):
        remedy = "put those files there" if is_remote(root) else "move it away"
        raise FetchError(
            f"{root} exists and is not what {card / LIST_NAME} lists ({', '.join(differing[:3])} "
            f"missing, new or changed); {remedy}, then run `misread data fetch {dataset}` again."
        )


def _readers(datasets: Collection[str]) -> dict[str, Dataset]:
    """Readers of data sets in conf/, whether or not the experiment of params.yaml has them."""
    from misread.pipeline.composition import compose_datasets

    params = compose_datasets(Path("conf"), datasets)
    return {dataset: params.dataset(dataset) for dataset in datasets}
