"""Disputes of texts that a command names: given ones, or those of a project's data set."""

from dataclasses import replace
from pathlib import Path

from misread.cli.inputs import Inputs
from misread.cli.texts_to_compare import normalize_given, read_given, texts_to_compare
from misread.data.base import below
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputFileError, setting
from misread.features.disputes.api import find_sources, gather_disputes
from misread.features.disputes.disputes import Disputes
from misread.features.disputes.draw import Draw


def name_systems(inputs: Inputs, files: list[str] | None = None) -> Inputs:
    """Inputs in which all files are systems: no reference is needed, and the first system takes its place."""
    if files:
        alone = replace(inputs, files=files)
        return alone if alone.logs else replace(inputs, files=[files[0], *files])
    return inputs.without_references()


def read_disputes(
    inputs: Inputs, dataset: str | None, systems: str | None, draw: Draw, media: str | None = None
) -> Disputes:
    """Read the texts of all systems, and find the spans."""
    if dataset is None:
        table = read_given(inputs, systems)
        return gather_disputes(
            normalize_given(table, inputs),
            inputs.chosen_normalizer,
            draw,
            missing=inputs.missing,
            sources=find_sources(replace(table, media=_find_media(inputs, table, media)) if media else table),
        )
    from misread.pipeline import paths
    from misread.pipeline.params import load_params
    from misread.storage import read_segments

    if media:
        raise ConfigurationError(f"{setting('media')} is for texts of your own; a data set has its own images.")
    params = load_params()
    segments, _ = read_segments(paths.segments(dataset), data_root=params.data_root)
    texts = texts_to_compare(inputs, dataset, systems)
    return gather_disputes(texts, params.normalizer(), draw, missing=params.missing, sources=find_sources(segments))


def _find_media(inputs: Inputs, table: SegmentTable, media: str) -> list[Path]:
    """Image or recording of every segment: in a column of the table, or in a folder under the name of the segment."""
    if (table_of_texts := inputs.sources.table) is not None:
        from misread.data.formats.tables import read_rows

        rows = read_rows(table_of_texts, encoding=inputs.encoding)
        names = rows.words(media)
        if len(names) != len(table):
            raise ConfigurationError(
                f"{setting('media')} names a column of {len(names):,} rows, and there are {len(table):,} segments; it "
                "takes one row per segment."
            )
        parent = table_of_texts.parent
        return [below(parent, name or "", rows.cell(row, media)) for row, name in enumerate(names)]
    folder = Path(media)
    if not folder.is_dir():
        raise InputFileError(f"{setting('media')}: there is no folder {folder}.")
    paths = {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.*"))}
    return [paths.get(segment_id) or below(folder, segment_id, setting("media")) for segment_id in table.segment_id]
