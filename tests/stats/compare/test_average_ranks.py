from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from misread.records import Counts, SegmentKeys
from misread.sockets import METRICS
from misread.stats import rank_over_clusters, rank_over_datasets
from misread.stats.compare.shared_segments import SharedSegments

CER = METRICS["cer"]


def shared(errors, clusters, lengths=10):
    """Systems from their errors a segment, all of them substitutions."""
    counts = {}
    for name, of in errors.items():
        of = np.array(of, dtype=np.int64)
        none, length = np.zeros_like(of), np.broadcast_to(lengths, len(of))
        counts[name] = {
            "cer": Counts(METRICS["cer"].columns, np.stack([of, length, length - of, of, none, none], axis=-1))
        }
    codes = None if clusters is None else np.array(clusters)
    keys = SegmentKeys([str(row) for row in range(len(of))], None if clusters is None else list(map(str, clusters)), {})
    return SharedSegments(keys, counts, codes, "" if clusters is None else "book", 0)


def test_systems_are_ranked_in_every_cluster_by_its_rate():
    of = shared({"a": [0, 2, 1, 3], "b": [1, 2, 2, 3], "c": [5, 5, 1, 1]}, [0, 0, 1, 2])
    ranks = rank_over_clusters(of, CER, alpha=0.05)
    # Ranks by book: 1 2 3; 1.5 3 1.5; 2.5 2.5 1.
    found = ranks.nemenyi
    assert found.average_ranks == pytest.approx({"a": 5 / 3, "c": 5.5 / 3, "b": 7.5 / 3})
    assert list(found.average_ranks) == ["a", "c", "b"]
    assert (ranks.friedman.unit, found.blocks, ranks.dropped, found.alpha) == ("book", 3, 0, 0.05)


def test_friedman_is_that_of_scipy():
    rng = np.random.default_rng(1)
    errors = {name: rng.integers(0, 10, 12) for name in "abcd"}
    ranks = rank_over_clusters(shared(errors, range(12)), CER, alpha=0.05)
    assert ranks.friedman.pvalue == pytest.approx(scipy.stats.friedmanchisquare(*errors.values()).pvalue)


def test_a_cluster_where_a_rate_is_undefined_is_left_out():
    of = shared({name: [1, 2, 3, 4] for name in "abc"}, [0, 1, 2, 3], lengths=[10, 10, 0, 10])
    ranks = rank_over_clusters(of, CER, alpha=0.05)
    assert (ranks.nemenyi.blocks, ranks.dropped) == (3, 1)


@pytest.mark.parametrize(
    ("systems", "clusters"),
    [("ab", [0, 1, 2, 3]), ("abc", [0, 0, 0, 0]), ("abc", None)],
    ids=["systems", "few", "none"],
)
def test_with_too_little_to_rank_there_are_no_ranks(systems, clusters):
    assert rank_over_clusters(shared({name: [1, 2, 3, 4] for name in systems}, clusters), CER, alpha=0.05) is None


def dataset(**rates):
    systems = {name: {"cer": SimpleNamespace(micro=rate, direction=CER.direction)} for name, rate in rates.items()}
    return SimpleNamespace(
        statistics=SimpleNamespace(alpha=0.05), systems=systems, first_system=next(iter(systems.values()))
    )


def test_systems_with_a_rate_on_all_data_sets_are_ranked_over_them():
    results = [dataset(a=0.1, b=0.2, c=0.3, d=0.4), dataset(a=0.1, b=0.2, c=0.3), dataset(a=0.2, b=0.1, c=0.3, d=None)]
    ranks = rank_over_datasets(results, "cer")
    assert ranks.nemenyi.average_ranks == pytest.approx({"a": 4 / 3, "b": 5 / 3, "c": 3.0})
    assert (ranks.friedman.unit, ranks.nemenyi.blocks) == ("data set", 3)


def test_few_systems_or_data_sets_have_no_ranks():
    assert rank_over_datasets([dataset(a=0.1, b=0.2, c=0.3)] * 2, "cer") is None
    assert rank_over_datasets([dataset(a=0.1, b=0.2)] * 3, "cer") is None
    assert rank_over_datasets([], "cer") is None
