"""`misread score` of logs of other frames."""

import json
import os

import pytest
from tests.frame_logs import LOGS, harness_log, members, write_archive

LARGE, SMALL, GRADED = (LOGS / f"{name}.eval" for name in ("large", "small", "graded"))


def mean_in(name, scorer="exact"):
    """The mean that Inspect has written into a log."""
    (result,) = (result for result in members(name)["header.json"]["results"]["scores"] if result["name"] == scorer)
    return result["metrics"]["mean"]["value"]


def test_two_logs_have_a_verdict_without_any_option(misread):
    result = misread("score", LARGE, SMALL, "--output", "json").json
    rates = {system: metrics["recorded_exact"]["micro"] for system, metrics in result["systems"].items()}
    assert rates == pytest.approx(
        {"mockllm/large": mean_in("large.eval"), "mockllm/small": mean_in("small.eval")}, abs=1e-12
    )
    (pair,) = result["comparisons"]
    assert (pair["verdict"], pair["same"]) == ("inconclusive", 9)
    assert "runs:2+2,averaged" in result["signature"]


def test_a_key_of_the_metadata_is_the_cluster_or_a_group(misread):
    result = misread("score", LARGE, SMALL, "--cluster", "box", "--groups", "box", "--output", "json").json
    assert "randomisation(box,K=4)" in result["signature"]
    assert list(result["groups"]["box"]) == ["box0", "box1", "box2", "box3"]


def test_texts_are_scored_as_texts_if_asked(misread):
    result = misread("score", LARGE, "--metrics", "cer", "--output", "json").json
    assert result["systems"]["mockllm/large"]["cer"]["counts"]["errors"] == 4


def test_one_model_twice_is_named(misread):
    done = misread("score", "--hyp", f"before={SMALL}", "--hyp", f"after={GRADED}", "--output", "json")
    assert list(done.json["systems"]) == ["before", "after"]
    refused = misread("score", SMALL, GRADED)
    assert refused.status != 0
    assert "both of the model 'mockllm/small'; name their systems: --hyp NAME=FILE." in refused.err


def test_logs_of_both_frames_go_together(misread):
    chosen = ("--metrics", 'recorded(scorer="exact_match,last_word")')
    result = misread("score", harness_log("large"), harness_log("small"), *chosen, "--output", "json").json
    assert [metrics["recorded_exact_match_last_word"]["micro"] for metrics in result["systems"].values()] == [
        10 / 12,
        0.5,
    ]


def test_what_readings_took_is_a_view(misread):
    views = misread("score", LARGE, "--view", "cost", "--output", "json").json["views"]
    assert views["cost"][0]["output_tokens"] == 156


def test_an_epoch_that_is_not_there_is_named(misread, tmp_path):
    content = members("small.eval")
    del content["samples/card-11_epoch_2.json"]
    path = write_archive(tmp_path / "some.eval", content)
    done = misread("score", LARGE, path)
    assert done.status != 0
    assert "system 'mockllm/small', run 2, has no hypothesis for 1 of 12 segments" in " ".join(done.err.split())
    assert misread("score", LARGE, path, "--missing", "drop", "--output", "json").json["excluded"] == 1


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (
            (GRADED,),
            "scores of several kinds, exact; graded; likeness. Name what counts: --metrics 'recorded(scorer=exa",
        ),
        ((LARGE, LOGS / "write_logs.py"), "write_logs.py is no log, and the other files are logs, which have ref"),
        ((LARGE, "missing.eval"), "missing.eval"),
        ((LARGE, "missing.txt"), "missing.txt is no file, and the other files are logs"),
        ((LARGE, os.devnull), "/dev/null is no file, and the other files are logs"),
        (
            (LARGE, "--segment-id", "id"),
            "--segment-id, --ids-table and --run are not for logs, which have ids and runs of their own.",
        ),
        ((LARGE, "--cluster", "page"), "unknown key 'page' in the metadata of"),
        ((LARGE, "--resegment"), "--resegment"),
        ((LARGE, "--format", "lm_eval"), "large.eval is an archive"),
    ],
)
def test_what_does_not_go_with_logs_is_refused(misread, arguments, refusal):
    done = misread("score", *arguments)
    assert done.status != 0
    assert refusal in " ".join(done.err.split())


def test_the_format_of_a_log_under_another_name_can_be_named(misread, tmp_path):
    rows = [json.loads(line) for line in harness_log("large", "choose_place").read_text().splitlines()]
    path = tmp_path / "answers.txt"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ("--format", "lm_eval", "--metrics", "recorded(scorer=acc)", "--output", "json")
    (metrics,) = misread("score", path, *options).json["systems"].values()
    assert metrics["recorded_acc"]["micro"] == pytest.approx(8 / 12)
