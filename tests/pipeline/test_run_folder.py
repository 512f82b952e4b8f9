import json
from pathlib import Path

import pytest

from misread import evaluate, read_run
from misread.errors import ConfigurationError, InputFileError, InputTypeError
from misread.pipeline.run_folder import SystemReadings, keep_run, write_run
from misread.sockets import get_metrics
from misread.version import __version__

METRICS = get_metrics(["cer", "ser"])


@pytest.fixture
def keep(tmp_path):
    """Keep a run by its id; the hypothesis is the one that is given."""

    def keep_files(hypothesis="abcx", seed=1, seconds=0.25):
        made = evaluate(["abcd"], {"a": [hypothesis]}, ids=["doc_001.png"], metrics=METRICS, seed=1)
        scores = {system: of.scores for system, of in made.scored.items()}
        config = {"seed": seed}
        readings = {"a": SystemReadings(["doc_001.png"], [hypothesis], {"doc_001.png": seconds})}
        return keep_run(
            tmp_path / "runs", config=config, scores=scores, metrics=METRICS, summary=made.result, readings=readings
        )

    return keep_files


@pytest.fixture
def write(tmp_path):
    """Write a run of one system on two images, of which one is empty."""

    def write_files(folder=tmp_path / "run"):
        made = evaluate(
            *(["abcd", ""], {"a": ["abcx", "z"]}), ids=["doc_001.png", "doc_002.png"], metrics=METRICS, seed=1
        )
        scores = {system: of.scores for system, of in made.scored.items()}
        write_run(folder, config={"seed": 1}, scores=scores, metrics=METRICS, summary=made.result)
        return folder, made.result

    return write_files


def test_what_is_written_is_what_is_read(write):
    folder, summary = write()
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "results.json", "summary.json"]
    run = read_run(folder)
    assert read_run(str(folder)) == run
    assert run.config == {"seed": 1, "misread": __version__}
    assert run.summary == summary
    assert run.results["doc_001.png"]["a"]["ser"] == {"score": 1.0, "wrong": 1, "compared": 1}


@pytest.mark.parametrize("folder", [None, 3, b"run", ["run"]])
def test_a_folder_that_is_not_a_path_is_refused(folder):
    with pytest.raises(InputTypeError, match="expected the path of a run's folder"):
        read_run(folder)


def test_every_segment_has_its_score_and_counts_and_undefined_is_null(write):
    cer = {image: of["a"]["cer"] for image, of in read_run(write()[0]).results.items()}
    assert (cer["doc_001.png"]["score"], cer["doc_001.png"]["substitutions"]) == (0.25, 1)
    assert (cer["doc_002.png"]["score"], cer["doc_002.png"]["insertions"]) == (None, 1)


def test_the_same_run_stays_and_another_one_is_never_written_over_it(write, monkeypatch):
    folder, _ = write()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    write()
    monkeypatch.setattr("misread.pipeline.run_folder.__version__", "999")
    with pytest.raises(ConfigurationError, match="run has something else, and a run is never overwritten; name a new"):
        write()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_folder_of_something_else_is_left_alone(write, tmp_path):
    (tmp_path / "precious.txt").write_text("text")
    with pytest.raises(ConfigurationError, match="has something else"):
        write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


@pytest.mark.parametrize("name", ["config.json", "results.json", "summary.json"])
def test_a_missing_file_is_named(write, name):
    folder, _ = write()
    (folder / name).unlink()
    with pytest.raises(InputFileError, match=f"there is no .*{name}; `misread score --run-dir"):
        read_run(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", [], "config.json is of type list"),
        ("results.json", {"doc": {"a": 1}}, "segment 'doc' has no scores by system and metric"),
        ("results.json", {"doc": {"a": {"cer": 1}}}, "segment 'doc' has no scores by system and metric"),
        (
            "summary.json",
            {},
            "summary.json is a file of kind None, expected 'comparison'; run `misread score --run-dir",
        ),
    ],
)
def test_a_broken_file_is_named(write, name, content, message):
    folder, _ = write()
    (folder / name).write_text(json.dumps(content))
    with pytest.raises(InputFileError, match=message):
        read_run(folder)


def test_a_kept_run_lies_under_its_id_and_is_read_like_any_other(keep):
    folder = keep()
    run = read_run(folder)
    assert (run.config["run_id"], next(iter(run.config))) == (folder.name, "run_id")
    assert run.results["doc_001.png"]["a"]["cer"]["substitutions"] == 1


def test_a_kept_run_has_its_texts_latencies_and_totals(keep):
    readings = read_run(keep()).readings["a"]
    assert readings["segments"] == {"doc_001.png": {"text": "abcx", "latency_ms": 250}}
    totals = dict(readings["totals"])
    assert (totals["segments"], totals["failed"], totals["seconds"]) == (1, 0, 0.25)
    assert "total_tokens" not in totals
    assert totals["latency_ms"] == {"mean": 250, "p50": 250, "p90": 250, "p99": 250, "n": 1}


def test_a_failed_reading_and_one_that_was_not_measured_are_null(tmp_path):
    made = evaluate(["ab", "c"], {"a": ["ab", "c"]}, ids=["one", "two"], metrics=METRICS, seed=1)
    folder = keep_run(
        tmp_path,
        config={},
        scores={system: scored.scores for system, scored in made.scored.items()},
        metrics=METRICS,
        summary=made.result,
        readings={"a": SystemReadings(["one", "two"], ["ab", None], {})},
    )
    readings = read_run(folder).readings["a"]
    assert readings["segments"]["two"] == {"text": None, "latency_ms": None}
    assert (readings["totals"]["failed"], readings["totals"]["latency_ms"]) == (1, None)


def test_a_run_that_is_written_by_the_command_has_no_readings(write):
    assert read_run(write()[0]).readings == {}


def test_the_same_run_is_kept_once_and_any_other_beside_it(keep):
    # Other latencies are no other run; other texts are, also with the same counts.
    folders = [keep(), keep(), keep(seconds=0.5), keep("abcy"), keep("abxx"), keep(seed=2)]
    assert folders[0] == folders[1] == folders[2]
    assert len(set(folders)) == 4
    assert {path.name for path in folders[0].parent.iterdir()} == {folder.name for folder in folders}


@pytest.mark.parametrize("change", [lambda path: path.write_text("{}"), Path.unlink], ids=["edited", "removed"])
def test_a_kept_run_that_is_not_as_it_was_written_is_left_alone_and_named(keep, change):
    folder = keep()
    change(folder / "results.json")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ConfigurationError, match=f"{folder.name} has something else"):
        keep()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
