"""Repeated runs through the stages: from a capture of three runs to tables, the page and what Python reads."""

import csv
import shutil
import subprocess

import pandas as pd
import pytest
from dvc.repo import Repo

from misread import read_results
from misread.data.segment_table import Origin, SegmentKeys, SegmentTable
from misread.engines.base import Reading
from misread.features.regimes import stage as sensitivity
from misread.io import write_json
from misread.pipeline import paths
from misread.pipeline.stages import compare, normalize, report, score
from misread.revisions import StoredResults, compare_revisions, open_revision
from misread.storage import read_alignments, read_confusions, read_scores, write_capture, write_segments, write_timings

REFERENCES = ["the quick brown fox", "jumps over", "the lazy dog", "pack my box", "with five", "dozen jugs"]
RUNS = [
    ["the quick brown fox", "jumps ovr", "the lazy dog", "pack my bx", "with five", "dozen jugs"],
    ["the quich brown fox", "jumps over", "the lazy dog", "pack my bx", "with fiv", "dozen jugs"],
    ["the quick brown fox", "jumps ovr", "the lasy dog", "pack my bx", "with five", None],
]
KEYS = SegmentKeys([f"l{row}" for row in range(6)], ["p1", "p1", "p2", "p2", "p3", "p3"], {})


@pytest.fixture
def project(tmp_path, monkeypatch, write_results):
    """The capture of "m" has three runs, the last of which failed once."""
    monkeypatch.chdir(tmp_path)
    ablation = {"_target_": "misread.features.regimes.AblationSettings", "metrics": ["cer"], "normalizers": ["none"]}
    params = {
        "ablation": ablation,
        "crosscheck": {"segments": 50},
        "regime": {},
        "seed": 1,
        "data_root": "downloads",
        "system_ids": ["a", "m"],
    }
    read = {"a": REFERENCES, "m": RUNS[0]}
    write_results(tmp_path, read=read, references=REFERENCES, ids=KEYS.segment_id, clusters=KEYS.cluster, params=params)
    origin = Origin("lines", "m", "0123456789", {"engine": "1.0"}, "page")
    readings = [
        Reading(key, text, None if text else "timed out", 0.1, None, run=run)
        for run, texts in enumerate(RUNS, start=1)
        for key, text in zip(KEYS.segment_id, texts, strict=True)
    ]
    write_capture(paths.capture("lines", "m"), origin, KEYS, REFERENCES, readings)
    for system in ("a", "m"):
        write_timings(paths.timings("lines", system), origin, [])
    table = SegmentTable(name="lines", segment_id=KEYS.segment_id, references=REFERENCES, cluster=KEYS.cluster)
    write_segments(paths.segments("lines"), table, offers=frozenset(), root="data/lines", folder=tmp_path)
    return tmp_path


@pytest.mark.slow
def test_one_run_before_and_three_after_are_compared(project, tmp_path_factory):
    before = tmp_path_factory.mktemp("before") / "project"
    shutil.copytree(project, before)
    normalize.main("lines")
    score.main("lines")
    for root in (before, project):
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
        Repo.init(str(root)).close()
    old, new = (StoredResults(open_revision(root, None, root / "store")) for root in (before, project))
    found = compare_revisions(old, new, new.params.statistics())
    (of,) = [each for each in found.differences if (each.system, each.metric) == ("m", "cer")]
    length = sum(map(len, REFERENCES))
    assert of.before == pytest.approx(2 / length)
    assert of.after == pytest.approx((2 + 3 + 3 + len("dozen jugs")) / 3 / length)
    assert (of.better, of.same, of.worse) == (1, 1, 4)
    assert found.outcome in ("cannot tell", "no significant change")


@pytest.mark.slow
def test_three_runs_reach_tables_page_and_python(project):
    for stage in (normalize, score, sensitivity):
        stage.main("lines")
    compare.main("lines")
    write_json(paths.PRICES, {})

    report.main()

    scores = read_scores(paths.scores("lines", "m"))
    assert list(scores.runs.runs) == ["1", "2", "3"]
    # A text that failed counts as empty: the policy of the project.
    assert scores.runs.counts["cer"][2, 5, 0] == len("dozen jugs")
    assert len(read_alignments(paths.alignments("lines", "m")).characters) == 6
    confused = read_confusions(paths.confusions("lines", "m"))
    assert confused.facts["characters"]["errors"] == scores.counts["cer"].total[0]

    tables = project / "reports" / "tables"
    (row,) = csv.DictReader((tables / "lines_cer_runs.csv").read_text(encoding="utf-8").splitlines())
    assert (row["system"], row["runs"], row["same_text"]) == ("m", "3", "1")
    assert "Repeated runs: CER" in (project / "reports" / "index.html").read_text(encoding="utf-8")

    result = read_results(project)
    assert result.sections["runs"]["cer"]["m"].runs == ("1", "2", "3")
    frame = result.segments
    assert (
        frame.groupby(["system", "run"])["cer_errors"].sum().to_dict()["m", "3"]
        == result.scored["m"].scores.runs.counts["cer"][2, :, 0].sum()
    )

    # Without build/, all of it but the texts comes from what Git has.
    shutil.rmtree(project / "build")
    again = read_results(project)
    assert again.result == result.result
    pd.testing.assert_frame_equal(again.segments, frame.drop(columns=["reference", "hypothesis"]))
