"""Logs of several models as one table."""

import math
import time
from dataclasses import replace

import pytest
from tests.frame_logs import LOGS, harness_log, members, write_archive

from misread.data import Logs, find_score, find_scores, join_logs, name_logs, read_log
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.evaluation import evaluate_table


@pytest.fixture(scope="module")
def logs():
    return {name: read_log(LOGS / f"{name}.eval", "inspect") for name in ("large", "small", "graded")}


def changed(log, row, **values):
    """A log in which one entry is another."""
    entries = [entry._replace(**values) if number == row else entry for number, entry in enumerate(log.entries)]
    return replace(log, entries=entries)


def test_every_model_is_a_system_and_every_epoch_a_run(logs):
    table = join_logs(name_logs([logs["large"], logs["small"]], ["", ""]), cluster="box", groups=["box"])
    assert list(table.hypotheses) == ["mockllm/large", "mockllm/small"]
    assert (table.name, table.cluster_name, list(table.groups)) == ("cards", "box", ["box"])
    assert table.segment_id == [f"card-{number:02}" for number in range(12)]
    for system, name in (("mockllm/large", "large"), ("mockllm/small", "small")):
        for run in ("1", "2"):
            entries = [entry for entry in logs[name].entries if entry.run == run]
            assert table.runs[system][run] == [entry.text for entry in entries]
            annotations = table.annotations_of_runs[system][run]
            assert annotations["scores"] == [entry.scores for entry in entries]
            assert annotations["output_tokens"] == [entry.effort["output_tokens"] for entry in entries]


@pytest.mark.parametrize("scorer", ["exact", "graded", "likeness"])
def test_rates_are_the_means_that_inspect_found(logs, scorer):
    table = join_logs({"a": logs["graded"]})
    rate = evaluate_table(table, metrics=f"s=recorded(scorer={scorer})", seed=1).systems["a"]["s"].rate
    results = members("graded.eval")["header.json"]["results"]["scores"]
    (metrics,) = (result["metrics"] for result in results if result["name"] == scorer)
    assert rate == pytest.approx((metrics.get("accuracy") or metrics["mean"])["value"], abs=1e-12)


def test_ties_are_no_difference_and_texts_are_scored_as_texts(logs):
    table = join_logs({"a": logs["large"], "b": logs["large"]})
    result = evaluate_table(table, metrics={"s": "recorded", "cer": "cer"}, seed=1)
    assert (result.pairs["a", "b"]["s"].difference, result.pairs["a", "b"]["s"].pvalue) == (0.0, 1.0)
    wrong = sum(entry.text != entry.reference for entry in logs["large"].entries)
    assert result.systems["a"]["cer"].counts["errors"] == wrong


def test_the_scorer_that_all_logs_have_is_the_one_that_counts(logs):
    assert find_score({"a": logs["small"], "b": logs["graded"]}) == {"scorer": "exact"}
    assert find_score({"a": changed(logs["small"], 0, scores={"exact": 3.0})}) == {
        "scorer": "exact",
        "values": "number",
    }
    many = changed(logs["small"], 0, scores={"exact": 1e7})
    assert find_score({"a": many}) == {"scorer": "exact", "values": "number", "digits": 10}
    lower = replace(logs["small"], lower_is_better=frozenset({"exact"}))
    assert find_score({"a": lower}) == {"scorer": "exact", "better": "lower"}


def test_scores_of_several_kinds_are_named_with_the_option(logs):
    with pytest.raises(ConfigurationError, match=r"several kinds, exact; graded; likeness\. Name what counts: .*exact"):
        find_score({"a": logs["graded"]})
    log = read_log(harness_log("small"), "lm_eval")
    with pytest.raises(ConfigurationError, match=r'recorded\(scorer="exact_match,strict"\)'):
        find_score({"a": log})


@pytest.mark.parametrize("scores", [{}, {"other": 1.0}])
def test_logs_without_numbers_in_common_say_what_each_has(logs, scores):
    other = replace(logs["small"], entries=[entry._replace(scores=scores) for entry in logs["small"].entries])
    with pytest.raises(InputFileError, match=r"no scorer gave numbers in all of them \(.*small\.eval has "):
        find_score({"a": logs["small"], "b": other})


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((1, "1"), r"'1' \(str\) here, 1 \(int\) there"),
        (("\u00e9", "e\u0301"), r"'e\\u0301' \(str\) here, '\\xe9' \(str\)"),
    ],
)
def test_metadata_that_looks_alike_is_told_apart(logs, values, shown):
    first, second = (
        replace(log, entries=[entry._replace(labels={"box": value}) for entry in log.entries])
        for log, value in zip((logs["large"], logs["small"]), values, strict=True)
    )
    with pytest.raises(InputFileError, match=shown):
        join_logs({"a": first, "b": second}, cluster="box")


@pytest.mark.parametrize("score", ["X", "C ", 1e308, -math.inf, 10**400, {}])
def test_a_score_that_is_no_number_is_named_with_its_sample(logs, score):
    first, *others = logs["small"].entries
    other = replace(logs["small"], entries=[*others, first._replace(scores={"exact": score})])
    with pytest.raises(InputFileError, match=r"small\.eval, samples/card-00_epoch_1\.json: exact gave .*, expec"):
        find_score({"large": logs["large"], "small": other})


def test_two_logs_of_one_model_need_names(logs):
    with pytest.raises(
        ConfigurationError, match=r"large\.eval and .*large\.eval are both of the model 'mockllm/large'"
    ):
        name_logs([logs["large"], logs["large"]], ["", ""])
    assert list(name_logs([logs["large"], logs["large"]], ["before", "after"])) == ["before", "after"]


def test_epochs_and_samples_that_one_lacks_are_missing_texts(logs):
    some = replace(logs["small"], entries=logs["small"].entries[:-1])
    table = join_logs({"a": logs["large"], "b": some})
    assert table.runs["b"]["2"][-1] is None
    assert table.annotations_of_runs["b"]["2"]["scores"][-1] is None
    assert len(table) == 12


def test_documents_that_another_log_does_not_have_are_missing_there(logs):
    more = [entry._replace(segment_id=f"more-{entry.segment_id}") for entry in logs["small"].entries[:2]]
    table = join_logs({"a": logs["large"], "b": replace(logs["small"], entries=[*logs["small"].entries, *more])})
    assert table.segment_id[-1] == "more-card-00"
    assert table.runs["a"]["1"][-1] is None


@pytest.mark.parametrize(
    ("row", "values", "refusal"),
    [
        (2, {"reference": "Bern!"}, r"epoch_1\.json: target of segment 'card-01' in system 'b', run '1' is not that of "
         r".*large\.eval, samples/card-01_epoch_1\.json: 'Bern!' here, 'Basel' there"),
        (2, {"segment_id": "card-00"}, r"segment 'card-00' has system 'b', run '1' twice, the first time on .*small"),
        (2, {"labels": {"box": "other"}}, r"metadata\.box of segment 'card-01' in system 'b'"),
    ],
)  # fmt: skip
def test_samples_that_contradict_each_other_are_refused_with_both_places(logs, row, values, refusal):
    with pytest.raises(InputFileError, match=refusal):
        join_logs({"a": logs["large"], "b": changed(logs["small"], row, **values)}, cluster="box")


def test_a_key_that_metadata_lacks_is_named_with_those_that_it_has(logs):
    with pytest.raises(UnknownNameError, match=r"unknown key 'page' in the metadata of .*card-00.* There are: box"):
        join_logs({"a": logs["large"]}, cluster="page")


def test_logs_of_different_tasks_are_joined_with_a_note(logs):
    table = join_logs({"a": logs["large"], "b": replace(logs["small"], task="plates")})
    assert table.facts.notes == ("the logs are of different tasks: cards, plates.",)


def test_a_sample_that_was_written_again_counts_once(tmp_path):
    path = write_archive(tmp_path / "log.eval", members("small.eval"))
    assert len(read_log(path, "inspect").entries) == 24


def study_of(**recorded):
    return Logs(str(LOGS), recorded, cluster="box", groups=["box"])


def test_a_study_records_texts_and_scores_of_every_epoch(logs):
    dataset = study_of(large="large.eval", small="small.eval")
    table, joined = dataset.segments(), join_logs({"large": logs["large"], "small": logs["small"]})
    assert list(table.hypotheses) == ["large.1", "large.2", "small.1", "small.2"]
    assert dataset.offers >= {"recorded:large.1", "recorded:small.1"}
    for system in ("large", "small"):
        for run in ("1", "2"):
            assert table.hypotheses[f"{system}.{run}"] == joined.runs[system][run]
            assert table.annotations_of[f"{system}.{run}"] == joined.annotations_of_runs[system][run]
    assert (table.segment_id, table.references, table.cluster_name) == (joined.segment_id, joined.references, "box")
    assert table.groups["box"] == table.cluster


def test_a_study_reads_samples_of_both_frames(tmp_path):
    path = harness_log("large")
    table = Logs(str(path.parent), {"a": path.name}).segments()
    log = read_log(path, "lm_eval")
    assert table.hypotheses == {"a.1": [entry.text for entry in log.entries]}
    assert table.annotations_of["a.1"]["scores"] == [entry.scores for entry in log.entries]


def test_a_study_refuses_a_log_in_the_words_of_its_reader(tmp_path):
    for name, content in (("cut.eval", (LOGS / "large.eval").read_bytes()[:3000]), ("text.dat", b"a text")):
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputFileError) as expected:
        read_log(tmp_path / "cut.eval", "inspect")
    with pytest.raises(InputFileError) as caught:
        Logs(str(tmp_path), {"a": "cut.eval"}).segments()
    assert str(caught.value) == str(expected.value)
    with pytest.raises(
        InputFileError, match=r"text\.dat is neither a log of Inspect nor samples of lm-evaluation-harness"
    ):
        Logs(str(tmp_path), {"a": "text.dat"}).segments()
    with pytest.raises(InputFileError, match=r"there is no file .*none\.eval"):
        Logs(str(tmp_path), {"a": "none.eval"}).segments()
    with pytest.raises(UnknownNameError, match="unknown key 'page' in the metadata of"):
        replace(study_of(large="large.eval"), cluster="page").segments()


def test_each_kind_of_score_has_settings_of_its_own(logs):
    assert find_scores({"a": logs["graded"]}) == {name: {"scorer": name} for name in ("exact", "graded", "likeness")}
    assert find_scores({"a": changed(logs["small"], 0, scores={"exact": "maybe"})}) == {}


def test_samples_with_scorers_of_their_own_take_time_by_their_number(logs):
    first = logs["small"].entries[0]
    entries = [
        first._replace(scores={"exact": 1.0, **{f"{row}/{key}": 1.0 for key in range(20)}}) for row in range(2_000)
    ]
    log = replace(logs["small"], entries=entries)
    start = time.process_time()
    assert len(find_scores({"a": log, "b": log})) == 40_001
    # Every scorer in every sample took minutes.
    assert time.process_time() - start < 10
