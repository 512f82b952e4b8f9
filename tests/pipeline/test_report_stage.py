"""What the report leaves for Git to keep of the scores."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.stages import report
from misread.storage import counts as counts_file
from misread.storage import read_counts, read_scores

REFERENCES = ["zinc quay brown fox", "jumps lazy dog", "uno dos", "tres"]
CLUSTERS = ["p1", "p1", "p2", "p2"]


class Shown(SimpleNamespace):
    """Results of a stage of a feature."""

    def warnings(self, name):
        return [f"The winner is {name('a')} under one regime only."]


@pytest.fixture
def write(tmp_path, monkeypatch, write_results):
    """Write the counts of a small project whose data set has some settings."""
    monkeypatch.chdir(tmp_path)

    def write(**settings):
        table = {"_target_": "misread.data.Table", "root": "data/lines", "file": "lines.csv", **settings}
        params = {"datasets": {"lines": table}}
        write_results(tmp_path, references=REFERENCES, clusters=CLUSTERS, params=params)
        report._write_counts(load_params(), "lines", [Shown()])
        return {path.stem: read_counts(path) for path in sorted((paths.COUNTS / "lines").iterdir())}

    return write


def test_counts_of_every_system_are_those_of_the_score_stage(write):
    counts = write()
    assert list(counts) == ["a", "b"]
    for system, committed in counts.items():
        scores = read_scores(paths.scores("lines", system))
        assert list(committed.scores.segments.segment_id) == list(scores.segments.segment_id)
        for metric, expected in scores.counts.items():
            assert committed.scores.counts[metric].values.tolist() == expected.values.tolist()
        assert committed.sentences == ["The winner is a under one regime only."]


def test_no_text_is_committed(write):
    write()
    words = {word for text in REFERENCES for word in text.split()}
    for path in (paths.COUNTS / "lines").iterdir():
        assert not words & set(re.findall(r"\w+", path.read_text(encoding="utf-8")))


def test_files_of_removed_systems_and_data_sets_go(write):
    for path in (paths.COUNTS / "lines/gone.csv", paths.COUNTS / "gone/a.csv"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("left by a run before")
    counts = write()
    assert list(counts) == ["a", "b"]
    paths.remove_leftovers(paths.COUNTS, load_params().datasets)
    assert [path.name for path in paths.COUNTS.iterdir()] == ["lines"]


def test_settings_of_the_data_set_choose_what_is_committed(write, capsys):
    assert write(counts="cache")["a"].scores.sizes.tolist() == [2, 2]
    assert capsys.readouterr().err == ""
    hidden = write(pseudonyms=True)["a"].scores
    assert hidden.pseudonyms
    assert not {*hidden.segments.cluster} & {*CLUSTERS}


def test_what_is_too_large_to_be_committed_by_segment_is_said_once(write, capsys, monkeypatch):
    monkeypatch.setattr(counts_file, "PACKED_BYTES", 10)
    assert write()["a"].scores.sizes.tolist() == [2, 2]
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        "reports/counts/lines has sums over clusters: the counts of every segment pack to more than 2"
    )
