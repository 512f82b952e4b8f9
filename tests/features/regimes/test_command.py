import csv
import io
import json

import pytest
import yaml

from misread.data.segment_table import Origin, SegmentKeys
from misread.engines.base import Reading
from misread.features.regimes import stage
from misread.features.regimes.regime import regime_names
from misread.pipeline import paths
from misread.storage import write_capture

TABLE = (
    *("--ref", "text", "--hyp", "a=a", "--hyp", "b=b"),
    *("--segment-id", "id", "--cluster", "page", "--resamples", "99"),
)
UPPER = [
    {
        "id": f"l{row}",
        "text": "the quick brown fox",
        "page": f"p{row}",
        "a": "THE QUICK BROWN FOX",
        "b": "the quick fox",
    }
    for row in range(12)
]


def test_another_winner_is_named_below_the_rates_and_ranks(misread, write_table):
    table = write_table("csv", UPPER)
    done = misread("regimes", "--table", table, *TABLE, "--regimes", "misread,sclite,isri", "--width", "200")
    assert (done.status, done.err) == (0, "")
    assert ["sclite", "WER", "micro", "0.00", "(1)", "25.00", "(2)"] in [line.split() for line in done.out.splitlines()]
    assert "The winner by words depends on the regime: b under misread; a under sclite, isri." in done.out
    assert "regimes|regime:misread.1+sclite.2+isri.2|data:lines@" in done.out


@pytest.mark.slow
def test_all_regimes_are_applied_where_none_is_named(misread, write_table):
    done = misread("regimes", "--table", write_table(), *TABLE, "--output", "json")
    assert {score["regime"] for score in done.json["scores"]} == set(regime_names())
    assert done.json["not_applied"] == {}
    score = done.json["scores"][0]
    assert list(score["systems"]) == ["a", "b"]
    assert {"baseline", "system", "difference", "pvalue", "verdict"} == set(score["pairs"][0])


def test_csv_has_a_row_for_every_system_and_rate_with_its_signature(misread, write_table):
    table = write_table("csv", UPPER)
    done = misread("regimes", "--table", table, *TABLE, "--regimes", "jiwer,sclite", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["regime"], row["rate"], row["system"]) for row in rows] == [
        (regime, rate, system)
        for regime, rate in (("jiwer", "wer"), ("jiwer", "cer"), ("sclite", "wer"))
        for system in "ab"
    ]
    assert "|regime:sclite.2|avg:micro|" in rows[-1]["rate_signature"]
    assert "warning: The winner by words depends on the regime" in done.err


@pytest.mark.parametrize("output", ["markdown", "latex", "html"])
def test_every_format_has_the_rates(misread, write_table, output):
    done = misread("regimes", "--table", write_table(), *TABLE, "--regimes", "jiwer", "--output", output)
    assert done.status == 0
    assert "jiwer" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--regimes", "sclit"), "unknown regime 'sclit'. Did you mean 'sclite'? `misread list regimes` lists all"),
        (("--regimes", ","), "--regimes is empty"),
        (("--regimes", "jiwer,jiwer"), "--regimes names 'jiwer' twice"),
        (("--dataset", "x"), "--dataset chooses among stored outputs"),
        (("--baseline", "c"), "unknown system 'c' in --baseline"),
        (("--raw-csv",), "--raw-csv is for --output csv"),
        (("--confidence", "2"), "--confidence"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(misread, write_table, arguments, message):
    done = misread("regimes", "--table", write_table(), *TABLE, *arguments)
    assert (done.status, done.out) == (1, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_outputs_that_no_regime_takes_are_an_error_with_the_reason(misread, write_table):
    rows = [{"id": "l1", "text": "one", "page": "p", "a": None, "b": "two"}]
    done = misread("regimes", "--table", write_table("parquet", rows), *TABLE, "--regimes", "jiwer")
    assert done.status == 1
    assert "No regime can be applied to lines (jiwer wer micro: system 'a' has no hypothesis" in done.err


OWN = {"version": 2, "stands_for": "a test", "normalizer": "lower", "rates": {"wer": {}}}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Captures of two systems on one data set, and the sections of params.yaml that regimes need."""
    monkeypatch.chdir(tmp_path)

    def make(**sections):
        statistics = {"_target_": "misread.stats.StatisticsSettings", "seed": 7, "resamples": 99}
        params = {"system_ids": ["a", "b"], "datasets": {"lines": {}}, "baseline": None, "statistics": statistics}
        params["executor"] = {"_target_": "misread.execution.Local"}
        ablation = {
            "_target_": "misread.features.regimes.AblationSettings",
            "metrics": ["cer"],
            "normalizers": ["none"],
        }
        params |= {"ablation": ablation, "metrics": {"cer": "cer"}, "missing": "error"}
        (tmp_path / "params.yaml").write_text(yaml.safe_dump({**params, "regime": {}, **sections}, sort_keys=False))
        for system in "ab":
            readings = [Reading(row["id"], row[system], None, 0.0, None) for row in UPPER]
            keys = SegmentKeys([row["id"] for row in UPPER], None, {})
            write_capture(
                paths.capture("lines", system), Origin("lines", system), keys, [row["text"] for row in UPPER], readings
            )

    return make


def test_without_texts_the_captures_of_the_project_are_taken_with_its_regimes(misread, project):
    project(regime={"own": OWN})
    done = misread("regimes", "--output", "json")
    assert [(score["regime"], score["version"]) for score in done.json["scores"]] == [("own", 2)]
    assert "|seed:7|" in done.json["scores"][0]["signature"]
    both = misread("regimes", "--regimes", "own,jiwer", "--dataset", "lines", "--output", "json").json["scores"]
    assert [score["regime"] for score in both] == ["own", "jiwer", "jiwer"]
    assert "unknown regime 'onw' in --regimes. Did you mean 'own'?" in misread("regimes", "--regimes", "onw").err
    assert "unknown data set 'line' in params.yaml" in misread("regimes", "--dataset", "line").err
    assert "unknown system 'c'" in misread("regimes", "--baseline", "c").err
    assert "--encoding: for texts of your own" in misread("regimes", "--encoding", "cp1252").err
    # A regime brings its own.
    assert "No such option: --normalizer" in misread("regimes", "--normalizer", "lower").err


@pytest.mark.slow
def test_a_project_without_regimes_is_compared_under_all_that_there_are(misread, project):
    project()
    assert {score["regime"] for score in misread("regimes", "--output", "json").json["scores"]} == set(regime_names())


def test_the_stage_writes_what_the_command_prints_and_nothing_without_regimes(misread, project):
    project(regime={"own": OWN})
    stage.main("lines")
    printed = misread("regimes", "--output", "json").json
    assert printed.pop("changes") == []
    assert written() == printed
    rates = json.loads(paths.ablation("lines", "a").read_text())["rates"]
    assert rates.keys() == {"none"}
    project()
    stage.main("lines")
    assert written() == {"dataset": "lines", "scores": [], "not_applied": {}}


def written():
    """What the stage wrote, without what the file says of itself."""
    content = json.loads(paths.regimes("lines").read_text())
    return {name: of for name, of in content.items() if name not in {"kind", "format", "crc32"}}


def test_captures_that_are_not_there_name_the_command(misread, project):
    project(regime={"own": OWN}, system_ids=["a", "c"])
    assert "dvc repro" in misread("regimes").err
