"""The pairing of a data set in a study: looked at by the score stage, noted, refused, or taken as given."""

import pytest
from tests.pairing.test_check import REFERENCES

from misread.data import PairingSettings, from_columns
from misread.data.segment_table import SegmentKeys
from misread.engines.base import Reading
from misread.errors import ConfigurationError, PairingError, UnknownNameError
from misread.evaluation.evaluation import Evaluation
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.pipeline.stages import compare, normalize, score
from misread.sockets import read_comparison
from misread.storage import read_scores, write_capture

IDS = [f"l{row}" for row in range(len(REFERENCES))]
SHIFTED = [*REFERENCES[1:], REFERENCES[0]]
SWAPPED = [REFERENCES[1], REFERENCES[0], *REFERENCES[2:]]


@pytest.fixture
def scored(tmp_path, monkeypatch):
    """Run the stages up to the comparison on captures of two systems."""
    monkeypatch.chdir(tmp_path)
    content = {
        "judges": {},
        "metrics": {"cer": "cer"},
        "system_ids": ["a", "b"],
        "normalizer": "none",
        "missing": "error",
        "baseline": None,
        "statistics": {"_target_": "misread.stats.StatisticsSettings", "seed": 1, "resamples": 99},
        "crosscheck": {"segments": 0},
        "executor": {"_target_": "misread.execution.Local", "workers": 1},
        "plugins": [],
    }
    for stage in (normalize, score, compare):
        monkeypatch.setattr(stage, "load_params", lambda: Params(content, root=tmp_path))

    def run(outputs, rule="checked"):
        table = PairingSettings(rule).apply_to(
            from_columns(REFERENCES, {"a": REFERENCES, "b": outputs}, ids=IDS, name="lines")
        )
        keys = SegmentKeys(IDS, None, {})
        for system, capture in table.captures().items():
            readings = [
                Reading(key, text, None, 0.0, None) for key, text in zip(IDS, capture.texts.hypotheses, strict=True)
            ]
            write_capture(paths.capture("lines", system), capture.origin, keys, REFERENCES, readings)
        for stage in (normalize, score, compare):
            stage.main("lines")
        return read_comparison(paths.comparison("lines"))

    return run


@pytest.mark.slow
def test_a_doubt_is_one_of_the_scores_and_the_first_warning_of_the_comparison(scored):
    result = scored(SWAPPED)
    assert result.warnings[0].startswith("b: 2 of 40 outputs may be paired with wrong references. They are swapped")
    (doubt,) = read_scores(paths.scores("lines", "b")).origin.facts.doubts
    assert doubt.sentence == result.warnings[0]
    assert doubt.brief == "b: 2 of 40 outputs may be paired with wrong references."
    assert read_scores(paths.scores("lines", "a")).origin.facts.doubts == ()
    assert [caution.text for caution in result.cautions] == [doubt.brief]
    ((fault,),) = result.pairing.values()
    assert (fault["fault"], fault["segments"], fault["segments_in_all"]) == ("swap", 2, 40)
    assert fault["pairs"][0] == {"segment_id": "l0", "fits": "l1"}
    read = Evaluation(result, {}).pairing["b"][0]
    assert read.sentence == result.warnings[0]


def test_another_pairing_of_all_ends_the_stage_and_names_the_key(scored):
    with pytest.raises(PairingError, match="b: 39 of 40 outputs") as caught:
        scored(SHIFTED)
    assert caught.value.settings == ("datasets.lines.pairing",)


@pytest.mark.slow
def test_a_row_group_is_looked_at_by_itself_and_what_is_found_is_joined(scored, monkeypatch):
    monkeypatch.setattr("misread.storage.parquet_writer.GROUP_ROWS", 20)
    with pytest.raises(PairingError, match=r"b: 38 of 40 outputs .* shifted by 1 segment from l0 on"):
        scored(SHIFTED)
    first, last = [*REFERENCES], [*REFERENCES]
    first[0], first[1], first[38], first[39] = first[1], first[0], first[39], first[38]
    scored(first)
    (doubt,) = read_scores(paths.scores("lines", "b")).origin.facts.doubts
    assert doubt.brief == "b: 4 of 40 outputs may be paired with wrong references."
    last[0], last[39] = last[39], last[0]
    scored(last)
    assert read_scores(paths.scores("lines", "b")).origin.facts.doubts == ()


@pytest.mark.slow
def test_the_rule_travels_from_the_data_set_to_the_signature(scored):
    result = scored(SHIFTED, "as-given")
    assert result.systems["b"]["cer"].signature.facts["pairing"] == "as-given"
    with pytest.raises(PairingError):
        scored(SWAPPED, "strict")


def test_the_rule_stands_among_the_settings_of_the_data_set():
    table = {"_target_": "misread.data.Table", "root": ".", "file": "f.csv", "segment_id": ["id"], "reference": "t"}
    params = Params({"datasets": {"d": {**table, "pairing": "strict"}, "e": table, "f": {**table, "pairing": "no"}}})
    assert params.pairing("d") == PairingSettings("strict")
    assert params.pairing("e") == PairingSettings()
    params.dataset("d")
    with pytest.raises((ConfigurationError, UnknownNameError), match="as-given, checked, strict"):
        params.pairing("f")
