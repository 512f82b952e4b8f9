"""Recordings of several speakers in a study, from the files of turns to rates."""

import shutil

import yaml

from misread.pipeline import paths
from misread.pipeline.stages import capture, normalize, score, segments
from misread.storage import read_scores


def test_sessions_are_scored_by_the_stages_as_by_meeteval(data_of_every_format, tmp_path, monkeypatch, write_results):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(data_of_every_format / "speakers", tmp_path / "data" / "meetings")
    dataset = {
        "_target_": "misread.data.SegmentFiles",
        "sessions": True,
        "root": "data/meetings",
        "reference": "ref.seglst.json",
        "format": "seglst",
        "recorded": {"a": "hyp.seglst.json"},
        "provenance": "examples of meeteval, MIT",
    }
    params = {
        "datasets": {"meetings": dataset},
        "data_root": "downloads",
        "executor": {"_target_": "misread.execution.Local", "workers": 1},
        "prices": {},
        "crosscheck": {"segments": 0},
        "slices": {},
    }
    write_results(tmp_path, read={"a": ["x"]}, references=["x"], params=params)
    content = yaml.safe_load((tmp_path / "params.yaml").read_text(encoding="utf-8"))
    content["metrics"] = {name: name for name in ("cp_wer", "tcp_wer", "orc_wer", "attribution_error_rate")}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    segments.main("meetings")
    capture.main("meetings", "a")
    normalize.main("meetings")
    score.main("meetings")
    scores = read_scores(paths.scores("meetings", "a"))
    totals = {metric: of.total.tolist()[:2] for metric, of in scores.counts.items()}
    # The README of the data: meeteval 0.4.3.
    assert totals == {"cp_wer": [25, 92], "tcp_wer": [25, 92], "orc_wer": [9, 92], "attribution_error_rate": [16, 92]}
    assert scores.segments.cluster == ["recordingA", "recordingB"]
    assert "reference_turns@" in scores.signatures["cp_wer"].facts["annotations"]
