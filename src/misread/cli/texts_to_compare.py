"""Normalized texts that a command looks at, given ones or those of a project's data set, and what it lists of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from misread.cli.input_reading import read_inputs
from misread.cli.inputs import Inputs
from misread.cli.options import split_list
from misread.errors import ConfigurationError, setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from misread.data.segment_table import SegmentTable
    from misread.normalize.normalized_texts import NormalizedTexts
    from misread.tables import Table


def texts_to_compare(inputs: Inputs, dataset: str | None, systems: str | None) -> Mapping[str, NormalizedTexts]:
    """Texts by system; those of a data set are as the pipeline has normalized them."""
    if dataset is not None:
        return _texts_of_project(inputs, dataset, systems)
    return normalize_given(read_given(inputs, systems), inputs)


def read_given(inputs: Inputs, systems: str | None) -> SegmentTable:
    """Read texts that are given, not those of a project; raises ConfigurationError if there are none."""
    if not inputs.are_given:
        raise ConfigurationError(
            f"name {setting('dataset', 'ID')} of the project, or references and systems as for `misread score`."
        )
    if systems:
        raise ConfigurationError(
            f"{setting('systems')} goes with {setting('dataset')}; of texts of your own, give only those that you want."
        )
    return read_inputs(inputs, scored=False)


def normalize_given(table: SegmentTable, inputs: Inputs) -> Mapping[str, NormalizedTexts]:
    """Normalized texts by system, with warnings on their doubts."""
    from misread.io.console import warn_of_notes
    from misread.normalize import normalize

    captures = table.captures()
    warn_of_notes(capture.origin for capture in captures.values())
    return {system: normalize(capture, inputs.chosen_normalizer) for system, capture in captures.items()}


def _texts_of_project(inputs: Inputs, dataset: str, systems: str | None) -> Mapping[str, NormalizedTexts]:
    from misread.pipeline.params import load_params
    from misread.pipeline.stored_segments import read_dataset_texts

    inputs.require_none()
    return read_dataset_texts(load_params(), dataset, split_list(systems, option=setting("systems")))


def print_listings(tables: Sequence[Table], *, as_csv: bool, width: int | None) -> None:
    """Print tables in the terminal; as CSV those that have the columns of the first."""
    if as_csv:
        from misread.io.console import write_out
        from misread.tables import render_csv

        write_out(render_csv([table for table in tables if table.record_names == tables[0].record_names]), end="")
        return
    from misread.tables.render.terminal import print_table
    from misread.tables.terminal.output import make_console

    console = make_console(width)
    for table in tables:
        print_table(table, console)
