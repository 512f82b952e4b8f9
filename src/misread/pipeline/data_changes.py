"""Data from outside that changed after it was pinned."""

from misread.io.file_lists import LIST_NAME, changed_files, not_as_pinned
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.storage.remote import local_folder


def data_changes(params: Params, dataset_id: str) -> str:
    """Say which files of a data set are not those that its list names, and what to do; empty where all are.

    Files of the size and time that they had when they were last read are not read again.
    """
    root = params.dataset_folder(dataset_id).replace("{data_root}", params.data_root)
    folder = local_folder(root, setting=f"datasets.{dataset_id}.root")
    card = paths.card(dataset_id)
    changed = changed_files(folder, card, paths.pinned_record(dataset_id))
    return not_as_pinned(dataset_id, folder, card / LIST_NAME, changed) if changed else ""
