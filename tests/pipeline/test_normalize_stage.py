import json

from misread.data.segment_table import Origin, SegmentKeys
from misread.engines.base import Reading
from misread.execution import Local
from misread.normalize import get_normalizer
from misread.pipeline import paths
from misread.pipeline.stages import normalize as stage
from misread.storage import read_normalized, write_capture


class Params:
    systems = ("asr",)

    def normalizer(self):
        return get_normalizer("lower")

    def executor(self):
        return Local()


def test_the_stage_writes_which_step_changed_how_many_segments(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(stage, "load_params", Params)
    readings = [Reading("s1", "a", None, 0.0, None), Reading("s2", None, "no answer", 0.0, None)]
    keys = SegmentKeys(["s1", "s2"], None, {})
    write_capture(paths.capture("lines", "asr"), Origin("lines", "asr"), keys, ["A  b", "c"], readings)
    stage.main("lines")
    assert read_normalized(paths.normalized("lines", "asr")).normalized.references == ["a b", "c"]
    spaces, case = json.loads(paths.step_changes("lines", "asr").read_text())["steps"]
    assert (spaces["step"], spaces["references"], spaces["hypotheses"]) == ("collapse_whitespace", 1, 0)
    assert case["examples"] == [{"segment_id": "s1", "side": "references", "before": "A b", "after": "a b"}]
