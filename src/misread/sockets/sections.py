"""What features add below the rates: tables of a comparison, results of their own stages, reports of the command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from misread.sockets.plug import Plug
from misread.stats import DatasetResult
from misread.tables import ReportSettings, Table

SECTIONS: Final[Mapping[str, Plug]] = {
    "runs": Plug("misread.features.runs", "lay_out_runs"),
    "judges": Plug("misread.features.judges.table", "lay_out_judges"),
}
"""Functions (result, settings) -> tables of a comparison; they stand below its rates."""

STAGE_RESULTS: Final[Mapping[str, Plug]] = {
    "normalizers": Plug("misread.features.regimes.shown_results", "read_normalizers"),
    "regimes": Plug("misread.features.regimes.shown_results", "read_regimes"),
}
"""Functions (params, dataset id) -> `StageResults` of a stage of their own, which the report shows below the groups."""


def lay_out_sections(result: DatasetResult, settings: ReportSettings) -> Iterator[Table]:
    """Tables of all sections that have something to show."""
    for section in SECTIONS.values():
        yield from section.load()(result, settings)


REPORTS: Final[Mapping[str, Plug]] = {"sc_stats": Plug("misread.features.sclite", "report_like_sc_stats")}
"""Functions (scored systems by id, baseline) -> (what JSON has, text for a terminal)."""
