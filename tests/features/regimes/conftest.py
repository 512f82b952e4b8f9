import pytest

from misread.data import from_columns
from misread.data.segment_table import TextFacts
from misread.features.regimes import Regime, compare_regimes
from misread.features.regimes.regime import read_regimes
from misread.stats import StatisticsSettings

PAGES = ["p1", "p1", "p2", "p3"]
REFERENCES = ["the cat", "a dog", "Mr. Fox", "one two three"]
SYSTEMS = {
    "a": ["the cat", "a dig", "mister fox", "one two three"],
    "b": ["the bat", "a dog", "Mr. Fox", "one two tree"],
}


@pytest.fixture(scope="session")
def make_regime():
    """A regime of one's own, of characters as they are unless other settings say so."""

    def make(**settings):
        return Regime(**{"id": "own", "version": 1, "stands_for": "a test", "rates": {"cer": {}}, **settings})

    return make


@pytest.fixture(scope="session")
def compare():
    """Compare systems under regimes, given as objects or as names."""

    def run(references, systems, regimes, *, clusters=None, groups=None, alternatives="", cluster_name="page"):
        from dataclasses import replace

        table = from_columns(
            references, systems, clusters=clusters, groups=groups, cluster_name=cluster_name if clusters else "cluster"
        )
        captures = replace(table, facts=TextFacts(alternatives=alternatives)).captures()
        made = [
            each for regime in regimes for each in (read_regimes([regime]) if isinstance(regime, str) else [regime])
        ]
        settings = StatisticsSettings(seed=1, resamples=99)
        return compare_regimes(captures, made, settings, dataset="texts", baseline=next(iter(systems)))

    return run


@pytest.fixture(scope="session")
def rate_of(compare):
    """Rates of all systems by the first rate and average of a regime."""

    def rates(references, systems, regime, place=0, **options):
        result = compare(references, systems, [regime], **options)
        assert result.scores, result.not_applied
        return {system: of.rate for system, of in result.scores[place].systems.items()}

    return rates
