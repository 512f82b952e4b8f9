"""The compare stage, whose results do not depend on the order of the data."""

import numpy as np
import pytest

from misread.pipeline import paths
from misread.pipeline.stages import compare, normalize, score
from misread.sockets import read_comparison

IDS = [f"l{number}" for number in range(24)]  # l10 stands before l2
REFERENCES = [f"line {number} of a page with some words" for number in range(24)]
READ = {
    "a": [text.replace("e", "c", number % 3) for number, text in enumerate(REFERENCES)],
    "b": [text.replace("o", "", number % 4) if number % 5 else None for number, text in enumerate(REFERENCES)],
}


@pytest.mark.slow
@pytest.mark.parametrize("with_clusters", [False, True])
def test_rows_in_any_order_give_the_same_comparison(tmp_path, monkeypatch, write_results, with_clusters):
    monkeypatch.chdir(tmp_path)
    statistics = {
        "_target_": "misread.stats.StatisticsSettings",
        "seed": 1,
        "resamples": 99,
        "tests": ["mapsswe", "randomisation", "wilcoxon"],
    }
    found = []
    for order in (range(24), np.random.default_rng(1).permutation(24).tolist()):
        write_results(
            tmp_path,
            read={system: [texts[row] for row in order] for system, texts in READ.items()},
            references=[REFERENCES[row] for row in order],
            ids=[IDS[row] for row in order],
            clusters=[f"p{row // 3}" for row in order] if with_clusters else None,
            params={"statistics": statistics, "crosscheck": {"segments": 0}, "missing": "drop"},
        )
        for stage in (normalize, score, compare):
            stage.main("lines")
        found.append(read_comparison(paths.comparison("lines")))
    first, second = found
    assert {test for pair in first.comparisons for test in pair.tests} >= {"mapsswe", "randomisation"}
    assert first.systems == second.systems
    assert first.comparisons == second.comparisons
