"""segments: what a data set offers, read and checked once for all systems."""

from pathlib import Path

from misread.data import note_alike_ids, read_pinned
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.storage import write_segments


def main(dataset_id: str) -> None:
    params = load_params()
    dataset = params.dataset(dataset_id)
    table = read_pinned(
        dataset_id,
        dataset,
        paths.card(dataset_id),
        data_root=params.data_root,
        watched=params.watched(dataset_id),
        record=paths.pinned_record(dataset_id),
    )
    table = params.pairing(dataset_id).apply_to(note_alike_ids(table).with_joined_labels())
    write_segments(
        paths.segments(dataset_id),
        params.slice(dataset_id).take_from(table, where=f"datasets.{dataset_id}"),
        offers=dataset.offers,
        root=params.dataset_folder(dataset_id),
        folder=Path(dataset.root),
    )
