"""The command, the pipeline and Python on the same small data."""

import contextlib
import json
import re

import pandas as pd
import pytest
import yaml

from misread import read_results
from misread.data import from_frame
from misread.evaluation import evaluate_table
from misread.io.json_files import to_json
from misread.pipeline.stages import capture, compare, normalize, score, segments
from misread.stats import StatisticsSettings
from misread.tables import explain_verdict

SETTINGS = {
    "seed": 7,
    "resamples": 199,
    "margin": 0.02,
    "confidence": 0.9,
    "tests": ["wilcoxon", "mapsswe", "randomisation"],
}

DATASET = {
    "_target_": "misread.data.Table",
    "root": "data/lines",
    "file": "lines.parquet",
    "segment_id": ["line"],
    "reference": "ref",
    "cluster": "page",
    "groups": ["side"],
    "recorded": ["a", "b", "c"],
    "provenance": "made for a test",
}
CONTENT = {
    "systems": {name: {"_target_": "misread.engines.Recorded", "revision": 1} for name in "abc"},
    "system_ids": ["a", "b", "c"],
    "datasets": {"lines": DATASET},
    "metrics": {"cer": "cer", "wer": "wer", "ser_raw": "ser_raw"},
    "normalizer": "lower",
    "statistics": {"_target_": "misread.stats.StatisticsSettings", **SETTINGS},
    "baseline": "b",
    "missing": "empty",
}


@pytest.fixture
def stored(frame, tmp_path, repository):
    """What the stages leave behind for the lines."""
    (tmp_path / "data/lines").mkdir(parents=True)
    frame.to_parquet(tmp_path / "data/lines/lines.parquet", index=False)
    committed = yaml.safe_load((repository / "params.yaml").read_text(encoding="utf-8"))
    (tmp_path / "params.yaml").write_text(yaml.safe_dump({**committed, **CONTENT}, sort_keys=False), encoding="utf-8")
    with contextlib.chdir(tmp_path):
        segments.main("lines")
        for system in "abc":
            capture.main("lines", system)
        for stage in (normalize, score, compare):
            stage.main("lines")
        return read_results()


@pytest.fixture
def evaluated(frame):
    table = from_frame(
        frame,
        reference="ref",
        systems=["a", "b", "c"],
        segment_id="line",
        cluster="page",
        groups=["side"],
        name="lines",
    )
    return evaluate_table(
        table,
        metrics=["cer", "wer", "ser_raw"],
        normalizer="lower",
        baseline="b",
        missing="empty",
        statistics=StatisticsSettings(**SETTINGS),
    )


def without_data(result):
    """All numbers and signatures without the digest of the data, which is of a file or of its texts, and engines."""
    content = json.loads(re.sub(rf"{result.data_digest[:8]}\w*", "", to_json(result).decode()))
    return {**content, "engines": {}}


@pytest.fixture(autouse=True)
def some_hypothesis_is_missing(frame):
    frame.loc[2, "c"] = None
    frame.loc[1, "c"] = "jumps over the LAZY dog"


@pytest.mark.pipeline
def test_the_pipeline_gives_the_numbers_of_the_call(stored, evaluated):
    assert without_data(stored.result) == without_data(evaluated.result)
    pd.testing.assert_frame_equal(stored.segments, evaluated.segments)
    pd.testing.assert_frame_equal(stored.pairs_frame(), evaluated.pairs_frame())


def test_the_command_gives_the_numbers_of_the_call(misread, frame, evaluated):
    frame.to_parquet("lines.parquet", index=False)
    systems = [option for name in "abc" for option in ("--hyp", f"{name}={name}")]
    table = (
        *("--table", "lines.parquet", "--ref", "ref", "--segment-id", "line"),
        *("--cluster", "page", "--groups", "side"),
    )
    rules = ("--metrics", "cer,wer,ser_raw", "--normalizer", "lower", "--baseline", "b", "--missing", "empty")
    settings = ("--seed", "7", "--resamples", "199", "--margin", "0.02", "--confidence", "0.9")
    done = misread("score", *table, *systems, *rules, *settings, "--tests", "wilcoxon,mapsswe", "--output", "json")
    expected = json.loads(to_json(evaluated.result))
    for plain_pair, pair in zip(expected["comparisons"], evaluated.result.comparisons, strict=True):
        plain_pair["verdict_reason"] = explain_verdict(pair)
    assert done.json == expected
