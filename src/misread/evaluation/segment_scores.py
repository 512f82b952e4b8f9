"""The file of all segments with their scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from misread.errors import ConfigurationError
from misread.io.atomic import replacing
from misread.io.json_files import write_text
from misread.tables.render.csv import write_rows
from misread.text.display import show_in_spreadsheet

if TYPE_CHECKING:
    import pandas as pd


def write_segment_scores(segments: pd.DataFrame, path: Path, *, raw_csv: bool) -> None:
    """Write a frame as Parquet or CSV, by the ending of the name; the file is complete, or not there."""
    if path.suffix == ".parquet":
        with replacing(path) as temporary:
            segments.to_parquet(temporary, index=False)
    elif path.suffix == ".csv":
        header = list(segments.columns) if raw_csv else list(map(show_in_spreadsheet, segments.columns))
        values = segments.astype(object).where(segments.notna(), None)
        write_text(path, write_rows(header, values.itertuples(index=False, name=None), raw=raw_csv))
    else:
        raise ConfigurationError(f"{path}: segments are written as .parquet or .csv; choose one of these endings.")
