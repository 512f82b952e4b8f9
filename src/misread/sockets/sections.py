"""Parts that features add to rates: sections of a comparison, results of their own stages, reports of the command."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from misread.errors import InputFileError, setting
from misread.io.names import bare_name, read_name
from misread.provenance.plugins import is_plugin
from misread.sockets.plug import Plug, make_named

if TYPE_CHECKING:
    from misread.stats import ComputeSection, DatasetResult
    from misread.tables import ReportSettings, Section, Table

SECTIONS: Final[Mapping[str, Plug]] = {
    "runs": Plug("misread.features.runs.section", "Runs"),
    "judges": Plug("misread.features.judges.agreement_section", "JudgeAgreement"),
}
"""Classes of `Section`."""

STAGE_RESULTS: Final[Mapping[str, Plug]] = {
    "normalizers": Plug("misread.features.regimes.shown_results", "read_normalizers"),
    "regimes": Plug("misread.features.regimes.shown_results", "read_regimes"),
}
"""Functions (params, dataset id) -> `StageResults` of a stage of their own, which the report shows below the groups."""

REPORTS: Final[Mapping[str, Plug]] = {
    "evaluation_lines": Plug("misread.features.specifications", "report_evaluation_lines"),
    "standards": Plug("misread.features.specifications", "report_standards"),
}
"""Functions (scored systems by id) -> (what JSON has, text for a terminal)."""


def get_section(text: str, *, where: str = "") -> Section:
    """Make a section from its name, with settings in brackets, or from the dotted name of a class of a plug-in.

    Raises as `get_view`.
    """
    from misread.tables import Section

    section: Section = make_named(read_name(text, "section", example="runs"), "section", Section, SECTIONS, where=where)
    return section


def section_functions(further: Sequence[str]) -> dict[str, ComputeSection]:
    """Functions that compute the built-in sections and further ones, by name."""
    sections = (
        get_section(name, where=setting("statistics.sections")) for name in dict.fromkeys((*SECTIONS, *further))
    )
    return {section.name or section.id: section.compute for section in sections}


def lay_out_sections(result: DatasetResult, settings: ReportSettings) -> Iterator[Table]:
    """Tables of all sections that have something to show."""
    for name, record in result.sections.items():
        yield from get_section(name).tables(record, result, settings)


def read_comparison(path: str | os.PathLike[str], *, command: str = "dvc repro") -> DatasetResult:
    """Read a comparison with its sections from a JSON file; errors name `command`, which writes it.

    A section of a plug-in that is not in use stays as it is in the file.
    """
    from misread.stats import read_comparison as read_rates

    result = read_rates(path, command=command)
    sections = {name: _read(name, content, path, command) for name, content in result.sections.items()}
    return replace(result, sections=sections)


def _read(name: str, content: Any, path: str | os.PathLike[str], command: str) -> Any:
    from msgspec import ValidationError, convert

    dotted = bare_name(name)
    if "." in dotted and not is_plugin(dotted.split(".")[0]):
        return content
    try:
        return convert(content, get_section(name).record)
    except ValidationError as error:
        raise InputFileError(
            f"{path}: sections.{name}: {error}; another version of misread wrote it; run `{command}` to write it again."
        ) from None
