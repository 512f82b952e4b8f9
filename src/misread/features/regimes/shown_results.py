"""Results of the stage sensitivity on one data set, as the report shows them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from misread.features.regimes.ablation import AblationResult
from misread.features.regimes.schema import RegimesResult, describe_winners
from misread.features.regimes.table import draw_regimes, lay_out_ablation, lay_out_regimes
from misread.io import read_record
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.tables import ReportSettings, Table


@dataclass(frozen=True)
class NormalizersShown:
    """Rates under several normalizers, one entry per system; nothing is shown where none were compared."""

    dataset: str
    systems: Sequence[AblationResult] = ()

    def warnings(self, name: Callable[[str], str]) -> Sequence[str]:  # noqa: ARG002 - there are none
        """Sentences for the head of the report."""
        return ()

    def tables(self, settings: ReportSettings) -> Iterator[Table]:
        """One per metric."""
        rates = next((system.rates for system in self.systems if system.rates), None)
        for metric in next(iter(rates.values())) if rates else ():
            yield lay_out_ablation(self.dataset, metric, self.systems, settings)

    def figures(self, settings: ReportSettings, folder: Path) -> list[Path]:  # noqa: ARG002 - there are none
        """Files that were drawn."""
        return []


@dataclass(frozen=True)
class RegimesShown:
    """Rates and ranks under every regime; nothing is shown where none was chosen."""

    result: RegimesResult

    def warnings(self, name: Callable[[str], str]) -> Sequence[str]:
        """Sentences for the head of the report: where the winner depends on the regime."""
        return describe_winners(self.result, name)

    def tables(self, settings: ReportSettings) -> Iterator[Table]:
        """One of all regimes."""
        if self.result.scores:
            yield lay_out_regimes(self.result, settings)

    def figures(self, settings: ReportSettings, folder: Path) -> list[Path]:
        """Files that were drawn."""
        return draw_regimes(self.result, settings, folder)


def read_normalizers(params: Params, dataset_id: str) -> NormalizersShown:
    """Read the rates under every normalizer."""
    files = (paths.ablation(dataset_id, system) for system in params.systems)
    return NormalizersShown(dataset_id, [read_record(file, AblationResult, kind="ablation") for file in files])


def read_regimes(_: Params, dataset_id: str) -> RegimesShown:
    """Read the rates, ranks and verdicts of all systems under every regime."""
    return RegimesShown(read_record(paths.regimes(dataset_id), RegimesResult, kind="regimes"))
