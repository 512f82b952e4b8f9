"""The page reports/index.html, with everything in one file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from misread.errors import needed_for
from misread.io import write_text
from misread.io.stored_columns import release_memory
from misread.io.yaml_files import dump_yaml
from misread.report.page import assets
from misread.report.page.choice import choose_segments
from misread.report.page.explorer import ExplorerData, pack_part
from misread.report.page.headline import describe_method
from misread.report.page.media import collect_media, data_uri
from misread.report.page.metric_results import MetricResults, make_metric_results
from misread.report.page.segments import SegmentViews, view_segments
from misread.report.page.static_segments import StaticSegment, choose_static_segments, visible
from misread.report.report_input import DatasetResults, RenderedFiles, ReportInput
from misread.sockets import kinds_of_marks, mark_segments
from misread.stats import DatasetResult
from misread.tables import ReportSettings, Table, ViewInput, lay_out_groups, make_rate_table, render_html
from misread.tables.confusions import lay_out_confused_by
from misread.tables.rates_layout import lay_out_pairs
from misread.tables.render.latex import escape_latex
from misread.text.display import file_stem, show_label
from misread.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Picture:
    """A figure inside the page."""

    title: str
    data: str


@dataclass(frozen=True)
class DatasetPart:
    """One data set for the templates."""

    result: DatasetResult
    name: str
    metrics: tuple[MetricResults, ...]
    pairs: Table | None
    groups: tuple[Table, ...]
    confusions: tuple[Table, ...]
    # Tables with files of their own.
    further: tuple[Table, ...]
    method: str
    method_latex: str
    pictures: tuple[Picture, ...]
    missing_figures: tuple[str, ...]
    without_media: str
    explorer: ExplorerData | None
    static_segments: tuple[StaticSegment, ...]

    @property
    def dataset(self) -> str:
        return self.result.dataset

    @property
    def pictured(self) -> frozenset[int]:
        """Explorer positions of segments whose image or audio the page already contains, for print."""
        if self.explorer is None or self.explorer.shown < self.explorer.total:
            return frozenset()
        return frozenset(segment.position for segment in self.static_segments if segment.medium and segment.medium.data)

    @property
    def first(self) -> MetricResults:
        """Results of the first metric."""
        return self.metrics[0]


def write_page(run: ReportInput, rendered: Mapping[str, RenderedFiles], settings: ReportSettings, path: Path) -> None:
    """Write the page; links to other files are relative to its folder."""
    write_text(path, render_page(run, rendered, settings, path.parent))


def render_page(run: ReportInput, rendered: Mapping[str, RenderedFiles], settings: ReportSettings, folder: Path) -> str:
    """HTML of a page in this folder; `rendered` has tables and figures with their own files, by data set.

    The explorers share the remainder of `settings.page.max_bytes` equally.
    """
    template = _environment().get_template("page.html.j2")
    style, script = assets.style(), assets.script(kinds_of_marks(settings.views))
    parts = [
        _make_part(
            results,
            rendered.get(results.comparison.dataset, RenderedFiles()),
            settings,
            folder,
            share=len(run.datasets),
        )
        for results in run.datasets
    ]
    return template.render(
        parts=parts,
        headline=" ".join(part.first.headline for part in parts) or "There are no results yet.",
        params=[(name, _yaml(section)) for name, section in run.params.items()],
        policy=content_security_policy(script, style),
        style=style,
        script=script,
        version=__version__,
        visible=visible,
    )


def _yaml(content: Any) -> str:
    return "\n".join(map(show_label, dump_yaml(content).split("\n")))


def _make_part(
    results: DatasetResults, rendered: RenderedFiles, settings: ReportSettings, folder: Path, *, share: int
) -> DatasetPart:
    result = results.comparison
    metrics = tuple(
        make_metric_results(make_rate_table(result, metric, settings), settings) for metric in settings.metrics
    )
    first = metrics[0].rates
    ranked = [row.system for row in first.rows]
    systems = [*ranked, *(name for name in result.systems if name not in ranked)]
    method = describe_method(result, first)
    shown = [name for name in systems if name in results.alignments]
    explorer, static_segments = _explore(results, shown, rendered.tables, settings, folder, share)
    linked_to = result.dataset if explorer else ""
    confused = (
        lay_out_confused_by(name, results.confusions.get(name), settings, linked_to=linked_to) for name in systems
    )
    return DatasetPart(
        result=result,
        name=first.dataset_name,
        metrics=metrics,
        pairs=lay_out_pairs(result, first),
        groups=tuple(_groups(result, ranked, explorer, settings)),
        method=method,
        method_latex=escape_latex(show_label(method)),
        confusions=tuple(table for table in confused if table),
        further=tuple(table for table in rendered.tables if table.stem not in _shown_otherwise(result, settings)),
        pictures=tuple(_picture(path, result.dataset) for path in rendered.figures if path.is_file()),
        missing_figures=tuple(path.name for path in rendered.figures if not path.is_file()),
        without_media=results.without_media,
        explorer=explorer,
        static_segments=static_segments,
    )


def _groups(
    result: DatasetResult, systems: Sequence[str], explorer: ExplorerData | None, settings: ReportSettings
) -> Iterator[Table]:
    """Tables of the first metric by the groups of every column, linked to their segments."""
    # Differences from the clean level are in the files.
    settings = replace(settings, degradation=())
    for column, groups in result.groups.items():
        if groups and systems:
            linked = explorer is not None and show_label(column) in explorer.columns
            yield lay_out_groups(result, column, settings.metrics[0], settings, systems=systems, linked=linked)


def _shown_otherwise(result: DatasetResult, settings: ReportSettings) -> set[str]:
    """Stems of the tables that the page shows in another form."""
    dataset, metric = result.dataset, settings.metrics[0]
    by_group = {file_stem(dataset, metric, "by", column) for column in result.groups}
    return by_group | {file_stem(dataset, metric) for metric in settings.metrics}


def _picture(path: Path, dataset: str) -> Picture:
    title = path.stem.removeprefix(f"{dataset}_").replace("_", " ")
    return Picture(title, data_uri(path, "image/svg+xml"))


def _explore(
    results: DatasetResults,
    systems: Sequence[str],
    tables: Sequence[Table],
    settings: ReportSettings,
    folder: Path,
    share: int,
) -> tuple[ExplorerData | None, tuple[StaticSegment, ...]]:
    marks = mark_segments(ViewInput(results.comparison.dataset, results.scored, settings), settings.views)
    named_ids = {segment_id for table in tables for segment_id in table.segments}
    texts, alignments, total = choose_segments(
        {system: results.texts[system] for system in systems}, results.alignments, named_ids
    )
    # Something of every segment was read for it.
    release_memory()
    views: SegmentViews = view_segments(texts, alignments, systems, marks, total=total)
    if not views.segments:
        return None, ()
    by_interest = [segment.segment_id for segment in sorted(views.segments, key=lambda segment: segment.interest)]
    media = collect_media(
        results.media, by_interest, folder=folder, budget=settings.page.media_bytes // share, parts=results.parts
    )
    static_segments = choose_static_segments(views, media, settings.names, count=settings.page.static_segments)
    # 600 kB per data set are enough for tables, figures and printed segments.
    room = settings.page.max_bytes // share - 600_000
    return pack_part(views, media, settings.names, room=room, named_ids=named_ids), static_segments


@cache
def _environment() -> Environment:
    with needed_for("the page needs", "Jinja", "report"):
        from jinja2 import Environment, PackageLoader, StrictUndefined

    filters: dict[str, Any] = {"grouped": "{:,}".format, "unbroken": _unbroken, "as_in_files": render_html}
    environment = Environment(
        loader=PackageLoader("misread.report.page"),
        autoescape=True,
        finalize=_show,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(filters)
    return environment


def _show(value: Any) -> Any:
    """Show names as labels; markup, and texts that templates escape themselves, stay unchanged."""
    return show_label(value) if type(value) is str else value


def _unbroken(text: str) -> str:
    """Keep the per cent sign on the line of its number."""
    return text.replace(" %", "\u00a0%")


def content_security_policy(script: str, style: str) -> str:
    """Policy that allows exactly this script and this style, and no requests.

    Hash sources: W3C, Content Security Policy Level 3, section 2.3.1.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "img-src data:",
            "media-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode("ascii")
