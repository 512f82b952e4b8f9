"""Data sets that Hugging Face's `datasets` saved to disk: a folder of Arrow files with their order.

Source: huggingface/datasets, `Dataset.save_to_disk`: state.json names the files, each a stream of Arrow record batches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from misread.errors import InputFileError
from misread.io.checks.choices import require_utf8
from misread.io.file_lists import stays_below
from misread.io.json_files import decode_json
from misread.io.text import read_text
from misread.text.lazy_texts import DeferredTexts

if TYPE_CHECKING:
    import pyarrow as pa

_STATE: Final = "state.json"
_SPLITS: Final = "dataset_dict.json"


def is_saved_dataset(path: Path) -> bool:
    """Whether a folder is a saved data set, or one of several splits."""
    return (path / _STATE).is_file() or (path / _SPLITS).is_file()


def read_saved_dataset(path: Path) -> tuple[Mapping[str, Sequence[Any]], int]:
    """Columns, each read when it is first asked for, as images and audio are columns too, and the number of rows."""
    import pyarrow as pa

    if (path / _SPLITS).is_file():
        splits = decode_json(read_text(path / _SPLITS), path / _SPLITS)
        names = splits.get("splits", []) if isinstance(splits, dict) else []
        raise InputFileError(
            f"{path} has several splits; name the folder of one: {', '.join(str(path / str(name)) for name in names)}."
        )
    state = decode_json(read_text(path / _STATE), path / _STATE)
    try:
        names = [entry["filename"] for entry in state["_data_files"]]
        files = [path / name for name in names if stays_below(name)]
        if len(files) < len(names):
            raise InputFileError(f"{path / _STATE} names a file that is not in the folder; save the data set again.")
    except (AttributeError, KeyError, TypeError):
        raise InputFileError(f'{path / _STATE}: expected {{"_data_files": [{{"filename": ...}}, ...]}}.') from None
    if state.get("_indices_data_files"):
        raise InputFileError(
            f"{path / _STATE} has _indices_data_files, a choice among the rows, which is not read; save "
            "dataset.flatten_indices() instead."
        )
    tables = []
    for file in files:
        # Arrow opens no others.
        require_utf8(file)
        try:
            with pa.memory_map(str(file)) as source, pa.ipc.open_stream(source) as reader:
                tables.append(reader.read_all())
        except FileNotFoundError:
            raise InputFileError(f"there is no file {file}, which {path / _STATE} names.") from None
        except (pa.ArrowInvalid, OSError) as error:
            reason = " ".join(str(error).split())
            raise InputFileError(f"{file} is not a stream of Arrow record batches ({reason}).") from None
    if not tables:
        raise InputFileError(f"{path / _STATE} names no file.")
    try:
        whole = pa.concat_tables(tables)
    except pa.ArrowInvalid:
        raise InputFileError(f"{path}: its files differ in their columns; save the data set again.") from None
    columns = {name: DeferredTexts(whole.num_rows, partial(_read, whole, path, name)) for name in whole.column_names}
    return columns, whole.num_rows


def _read(table: pa.Table, path: Path, name: str) -> list[Any]:
    """Values of a column whose offsets lie in its file: Arrow takes them as they are, and would read beyond its end."""
    import pyarrow as pa

    column = table[name]
    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        reason = " ".join(str(error).split())
        raise InputFileError(f"{path}: column {name!r} is damaged ({reason}); save the data set again.") from None
    values: list[Any] = column.to_pylist()
    return values
