"""Counts by cluster against the regimes themselves, and the groups that are made of tests."""

import csv

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from tools.rankings.__main__ import main
from tools.rankings.counts import Counted, Key, count, read_counts, write_counts
from tools.rankings.sets import RANKINGS, Ranking, Texts
from tools.rankings.verdicts import Table, tabulate

from tools.rankings import counts


@pytest.fixture
def made_set(monkeypatch, tmp_path):
    """A set of four lines on two pages, whose counts go to a folder of the test."""
    texts = Texts(
        ["p/1", "p/2", "q/1", "q/2"], ["p", "p", "q", "q"], ["ab", "cd", "ef", "gh"], {"a": ["ab", "cx", "ef", "gh"]}
    )
    ranking = Ranking(
        "Made up", "nowhere", "page", {}, {"a": "12.5"}, ("misread", "cer", "micro"), ("misread",), lambda *_: texts
    )
    monkeypatch.setitem(RANKINGS, "made", ranking)
    monkeypatch.setattr(counts, "FOLDER", tmp_path)
    return tmp_path


def test_errors_and_lengths_are_summed_by_cluster_and_read_as_they_were_written(made_set):
    counted = count("made", made_set, {})
    assert counted[Key("misread", "cer", "micro")].systems["a"].tolist() == [[1, 4], [0, 4]]
    write_counts("made", counted)
    read = read_counts("made")
    assert [*read] == [*counted]
    assert {key: (value.clusters, value.systems["a"].tolist()) for key, value in read.items()} == {
        key: (value.clusters, value.systems["a"].tolist()) for key, value in counted.items()
    }


def test_a_system_of_ones_own_is_counted_beside_the_others(made_set):
    (made_set / "mine.csv").write_text("id,text\np/1,ab\np/2,cd\nq/1,xx\nq/2,gh\n", encoding="utf-8")
    counted = count("made", made_set, {"mine": made_set / "mine.csv"})[Key("misread", "cer", "micro")]
    assert counted.systems["mine"].tolist() == [[0, 4], [2, 4]]


def test_a_system_that_lacks_an_id_is_refused(made_set):
    (made_set / "mine.csv").write_text("id,text\np/1,ab\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="lacks 3 of 4 ids: p/2, q/1, q/2"):
        count("made", made_set, {"mine": made_set / "mine.csv"})


def test_a_row_that_is_not_named_as_it_should_be_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["rankings", "--add", "nothing=x.csv"])
    with pytest.raises(SystemExit):
        main()
    assert (
        "expected SET:NAME=FILE, with a set of das22, earnings21, repeated_runs, rare_words" in capsys.readouterr().err
    )


def test_committed_counts_are_those_of_the_texts(shared_data):
    for name, key in (("das22", Key("jiwer", "cer", "micro")), ("repeated_runs", Key("misread", "cer", "micro"))):
        texts = RANKINGS[name].read(shared_data, False)
        for system, outputs in texts.systems.items():
            pairs = [(a.strip(), b.strip()) for a, b in zip(texts.references, outputs, strict=True)]
            errors = sum(Levenshtein.distance(*pair) for pair in pairs)
            total = read_counts(name)[key].systems[system].sum(axis=0)
            assert total.tolist() == [errors, sum(len(reference) for reference, _ in pairs)]


def test_no_text_is_in_the_committed_counts():
    for path in counts.FOLDER.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert all(value.isdigit() for row in rows[1:] for value in row[4:])
        assert path.stat().st_size < 40_000


def test_groups_are_runs_of_neighbours_without_a_significant_pair():
    pvalues = {frozenset(pair): 0.5 for pair in ("ab", "bc", "cd")} | {
        frozenset(pair): 0.01 for pair in ("ac", "ad", "bd")
    }
    table = Table(dict.fromkeys("abcd", 1.0), {}, pvalues)
    assert table.groups == [["a", "b"], ["b", "c"], ["c", "d"]]


def test_rates_of_means_are_in_per_cent_too():
    values = np.array([[500_000_000, 1], [0, 1]])
    table = tabulate(Key("x", "cer", "segments"), Counted(["p", "q"], {"a": values, "b": values}))
    assert table.rates == {"a": 25.0, "b": 25.0}
    assert [*table.pvalues.values()] == [1.0]
