"""The result of an evaluation, as one object."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from misread.errors import InputFileError, UnknownNameError, needed_for
from misread.evaluation.frames import make_pairs_frame, make_rates_frame, make_segments_frame, write_segment_scores
from misread.evaluation.score_text import Output, Printout, ResultTables, lay_out_result
from misread.evaluation.system_pairs import Named, Pairs
from misread.io.checks.choices import check_choice
from misread.io.json_files import from_plain
from misread.io.layouts import LAYOUTS, check_layout
from misread.pairing.findings import Mispairing
from misread.provenance.signature import Signature
from misread.sockets.sections import SECTIONS
from misread.stats import DatasetResult, MetricResult, PairComparison
from misread.tally import ScoredSystem
from misread.version import __version__

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from misread.tables import Table, View


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """All systems on one data set: rates, every pair, every segment, tables and a plot.

    `evaluate` makes one from texts, `read_results` from what the pipeline has stored. `print` shows what `misread
    score` prints; `to_text` adds groups and further notes. It can be pickled and copied. Two evaluations are equal only
    if they are the same object; compare their `result` to compare all numbers.

    Attributes
    ----------
    result : DatasetResult
        Everything that was computed, as `misread score --output json` prints it: groups, ranking, statistics too.
    scored : mapping of str to ScoredSystem
        Texts and counts of the segments by system, with their alignments and confusions.
    """

    result: DatasetResult
    scored: Mapping[str, ScoredSystem]

    @property
    def systems(self) -> Mapping[str, Mapping[str, MetricResult]]:
        """Rates by system and metric: `systems["a"]["cer"].rate`.

        Each has `rate` (errors of all segments over the length of all), `interval` with `low` and `high`, `counts` by
        name and `signature`, which `print` shows as tables do and whose `facts` have names; also `macro`, `median`,
        `exact_segments` and the rest of MetricResult. A system without result raises NoResultError, an unknown name
        UnknownNameError; both are LookupErrors that list the names.
        """
        by_system = {system: Named("metric", results) for system, results in self.result.systems.items()}
        return Named("system", by_system, self.result.not_applicable)

    @property
    def pairing(self) -> Mapping[str, Sequence[Mispairing]]:
        """Faults in the pairing of outputs and references, by system that has some.

        Each has `fault`, `segments`, `pairs` (the proposed ones), `errors`, `errors_as_proposed` and a `sentence`.
        """
        return {
            system: [from_plain(record, Mispairing) for record in records]
            for system, records in self.result.pairing.items()
        }

    @property
    def sections(self) -> Mapping[str, Any]:
        """Records of features, by the name of their section.

        `sections["runs"]["cer"]["a"]` says how much repeated runs of a system vary: the `rates` of the runs, their
        standard `deviation`, `same_text`, `flip_rate`, in `variance` standard errors over clusters, variance components
        and the test of an effect that runs share, and in `advice` whether more of them would help. It is there where a
        system read everything several times.

        `sections["judges"]` says how far the recorded judges among the metrics agree: its `pairs` have `first`,
        `second` and their `agreement`, Cohen's `kappa` with its `interval` by cluster, the share alike and counts;
        `together` is Fleiss' kappa of three or more. It is there where two judges have a kappa.
        """
        sections = self.result.sections
        return Named(
            "section", sections, {name: "there is nothing to say" for name in SECTIONS if name not in sections}
        )

    @property
    def pairs(self) -> Mapping[tuple[str, str], Mapping[str, PairComparison]]:
        """Differences by pair and metric: `pairs["a", "b"]["cer"].verdict`.

        `pairs["a", "b"]` says how `b` compares with `a`, the baseline first; `pairs["b", "a"]` says the same of `a`,
        with the opposite sign, interval and verdict. It lists each pair once and is empty for one system. A pair that
        was not compared raises NoResultError, which lists those that were.
        """
        return Pairs(self.result)

    @property
    def segments(self) -> pd.DataFrame:
        """One row per segment, system and, where a system has several, run, in the order of the data: a new DataFrame.

        Columns are `segment_id`, the clusters under their name (such as `page`), each group column, `system`, `run`
        where a system has several, `reference` and `hypothesis` as they were given, and for every metric its counts and
        rate, such as `cer_errors`, `cer_length` and `cer_rate`. The counts of a system add up to
        `systems[...][...].counts`; segments that are left out of the result because a system lacks them are left out
        here too. A rate without denominator is NaN. `read_results` of a commit whose texts are not at hand gives no
        `reference` and `hypothesis`.
        """
        return make_segments_frame(self.scored)

    @property
    def metrics(self) -> list[str]:
        """Ids of the metrics."""
        return list(self.result.first_system)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on doubts, small numbers and assumptions."""
        return self.result.warnings

    @property
    def signature(self) -> Signature:
        """All that the numbers depend on; `str()` of it is one line, and each rate has one of its own."""
        return self.result.signature

    def to_frame(self) -> pd.DataFrame:
        """Rates as a pandas DataFrame, one row per system and metric.

        Returns
        -------
        pandas.DataFrame
            `system`, `metric`, `rate`, ends of the interval (`low`, `high`), `macro`, `median`, `segments`,
            `empty_references`, `exact_segments`, outputs of all runs that are `missing` or whose reading `failed`, the
            `standard_deviation` and percentiles (`percentile_5` to `percentile_95`) of the rates of segments, every
            count (empty where a metric does not have it) and `signature`.
        """
        return make_rates_frame(self.result)

    def pairs_frame(self) -> pd.DataFrame:
        """Differences as a pandas DataFrame, one row per compared pair and metric.

        Returns
        -------
        pandas.DataFrame
            `baseline`, `system`, `metric`, `difference`, ends of its interval (`low`, `high`), the deciding `test` with
            `pvalue` (adjusted over all pairs) and `pvalue_raw`, `verdict`, and the segments that the system reads
            `better`, as well (`same`) and `worse`.
        """
        return make_pairs_frame(self.result)

    def view(self, name: str | View) -> pd.DataFrame:
        """One of the tables that look at the segments, unrounded: a new pandas DataFrame.

        Parameters
        ----------
        name : str or View
            A name, with settings in brackets such as `bands(edges=[10,100])`, or a view of your own.
            "worst": segments or clusters by their rates, worst first.
            "flags": segments whose text was made up, with span and reason, by the `FlagRules` of a metric that flags.
            "reliability": words by bins of confidence, and how many are right. "review": words to check by hand, the
            least sure ones first, to reach an error rate. "bands": errors of words by how often they occur in training
            data, with the counts of `rare_word_error_rate`. "entities": errors of words by label of entity.
            "scripts": errors of characters by script. "corrections": what was better and worse before. "punctuation":
            every mark by itself.
            "latency" and "cost": seconds, tokens and US dollars that were recorded with the outputs.
            "pairing": outputs that fit other references than their own.

        Returns
        -------
        pandas.DataFrame
            Empty if there is nothing to show.

        Raises
        ------
        UnknownNameError
            If there is no such view or setting.
        ConfigurationError
            If the name is not NAME(SETTING=VALUE, ...), or a value does not fit.
        MissingDependencyError
            If pandas is not installed.
        """
        with needed_for("DataFrames need", "pandas", "frames"):
            import pandas as pd

        table = self.lay_out_view(name)
        return pd.DataFrame(list(table.records), columns=list(table.record_names)) if table else pd.DataFrame()

    def lay_out_view(self, name: str | View, dataset_name: str = "") -> Table | None:
        """The table of a view, as `misread score --view` prints it; None if there is nothing to show."""
        from misread.sockets import get_view
        from misread.tables import ReportSettings, ViewInput

        view = get_view(name) if isinstance(name, str) else name
        scored = {
            system: system_scores
            for system, system_scores in self.scored.items()
            if not system_scores.texts.origin.not_applicable
        }
        names = {self.result.dataset: dataset_name} if dataset_name else {}
        return view.lay_out(ViewInput(self.result.dataset, scored, ReportSettings(self.metrics, names=names)))

    def save_segments(self, path: str | os.PathLike[str], *, raw_csv: bool = False) -> None:
        """Write `segments` to a file: all of it, or none.

        Parameters
        ----------
        path : str or path-like
            Ends in .parquet or .csv.
        raw_csv : bool
            Whether CSV has texts as they are, for programs. Otherwise control characters are written as escapes, and a
            text that a spreadsheet would compute gets an apostrophe in front.

        Raises
        ------
        ConfigurationError
            If the name ends otherwise; names the endings.
        OutputFileError
            If the file cannot be written.
        """
        write_segment_scores(self.segments, Path(path), raw_csv=raw_csv)

    def to_text(self, metric: str | None = None, *, by: str | None = None, notes: bool = False) -> str:
        """Tables as `misread score` prints them.

        Parameters
        ----------
        metric : str, optional
            Id of the metric; all of them by default.
        by : str, optional
            Group column by which rates are broken down in a table of their own.
        notes : bool
            Whether tables end in all notes on their numbers, as with `--notes`.

        Raises
        ------
        UnknownNameError
            If the metric was not scored, or there is no such group column.
        """
        return self._tables(metric, by, notes=notes).render(Output.TABLE)

    def to_markdown(self, metric: str | None = None, *, by: str | None = None, notes: bool = False) -> str:
        """Tables in Markdown, as `misread score --output markdown` prints them; see `to_text`."""
        return self._tables(metric, by, notes=notes).render(Output.MARKDOWN)

    def to_latex(self, metric: str | None = None, *, by: str | None = None, notes: bool = False) -> str:
        """Tables in LaTeX with booktabs, as `misread score --output latex` prints them; see `to_text`."""
        return self._tables(metric, by, notes=notes).render(Output.LATEX)

    def to_html(self, metric: str | None = None, *, by: str | None = None, notes: bool = False) -> str:
        """Tables in HTML, as `misread score --output html` prints them; see `to_text`."""
        return self._tables(metric, by, notes=notes).render(Output.HTML)

    def to_csv(self, metric: str | None = None, *, by: str | None = None, raw_csv: bool = False) -> str:
        """CSV as `misread score --output csv` prints it: rates, or rates by the groups of a column.

        `to_frame().to_csv()` has every number to its last digit.
        """
        return self._tables(metric, by).render(Output.CSV, raw_csv=raw_csv)

    def plot(self, metric: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw the rates with their intervals, best first.

        Parameters
        ----------
        metric : str, optional
            Id of the metric; the first by default.
        ax : matplotlib.axes.Axes, optional
            Where to draw, else on a new figure as wide as one column of a paper. If its figure has no layout engine, it
            gets the constrained one, so that names of systems have space.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        UnknownNameError
            If the metric was not scored.
        MissingDependencyError
            If Matplotlib is not installed.
        """
        from misread.tables.figures.rates import draw_forest

        (chosen,) = self._chosen(metric or self.metrics[0])
        return draw_forest(self.result, chosen, ax)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # Pickled by itself, so that its version is known before any class is looked up.
        content = pickle.dumps((self.result, self.scored))
        return _unpickle, (LAYOUTS["evaluation"], __version__, content)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        systems, metrics = ", ".join(self.result.systems), ", ".join(self.metrics)
        return f"<Evaluation of {self.result.dataset!r}: {systems}; {metrics}; {self.result.segments:,} segments>"

    def _repr_html_(self) -> str:
        """Tables for notebooks."""
        return self.to_html()

    def _tables(self, metric: str | None, by: str | None, *, notes: bool = False) -> ResultTables:
        if by is not None and by not in self.result.groups:
            raise UnknownNameError("group column", by, self.result.groups)
        groups = [] if by is None else [by]
        return lay_out_result(self.result, Printout(metrics=self._chosen(metric), groups=groups, all_notes=notes))

    def _chosen(self, metric: str | None) -> Sequence[str]:
        if metric is None:
            return self.metrics
        check_choice("metric", metric, self.metrics)
        return [metric]


def _unpickle(layout: int, version: str, content: bytes) -> Evaluation:
    """The Evaluation of a pickle; raises InputFileError if its layout, or a class in it, is of another version."""
    where = f"an Evaluation that misread {version} pickled"
    check_layout(where, "evaluation", layout, command="misread.evaluate")
    try:
        return Evaluation(*pickle.loads(content))  # noqa: S301  of the pickle that is being read
    except (AttributeError, ImportError, TypeError) as error:
        raise InputFileError(
            f"{where} is not understood by this version ({error}); install that one, or evaluate the texts again."
        ) from None
