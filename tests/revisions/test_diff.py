import json
from dataclasses import replace
from functools import cache, partial

import pytest

from misread.errors import NotComparableError, RevisionError, UnknownNameError
from misread.io import layouts
from misread.io.json_files import to_plain
from misread.revisions import Choice, StoredResults, compare_revisions, open_revision
from misread.revisions.changes import Change
from misread.stats import compare_systems
from misread.storage.parquet import read_parquet
from misread.storage.parquet_writer import write_parquet

from .conftest import REFERENCES, read_badly

EVERYTHING = Choice()
GOOD = read_badly(10)


@pytest.fixture(scope="module")
def results(past, tmp_path_factory):
    return cache(lambda name: StoredResults(open_revision(past.root, name, tmp_path_factory.mktemp(str(name)))))


@pytest.fixture(scope="module")
def difference(results):
    """Compare two revisions; what several tests ask for is worked out once."""

    @cache
    def compare_two(before, after, choice=EVERYTHING, **settings):
        new = results(after)
        return compare_revisions(results(before), new, replace(new.params.statistics(), **settings), choice)

    return compare_two


def by_system(difference, metric="cer"):
    return {each.system: each for each in difference.differences if each.metric == metric}


def test_a_system_that_got_worse_is_told_from_one_that_did_not_diff(difference):
    found = difference("first", "worse")
    of = by_system(found)
    assert (of["a"].verdict, of["b"].verdict) == ("regressed", "unchanged")
    assert found.outcome == "regression"
    assert (of["a"].better, of["a"].same, of["a"].worse) == (0, 36, 24)
    assert of["a"].difference == pytest.approx(of["a"].after - of["a"].before)
    assert of["a"].interval.low > 0
    assert (of["b"].before, of["b"].difference, of["b"].pvalue) == (of["b"].after, 0.0, None)


def test_the_other_way_round_it_is_an_improvement(difference):
    found = difference("worse", "first")
    assert by_system(found)["a"].verdict == "improved"
    assert found.outcome == "improvement"
    assert by_system(found)["a"].difference == -by_system(difference("first", "worse"))["a"].difference


def test_numbers_are_those_of_two_systems_side_by_side(difference, results):
    """The same counts compared as two systems of one revision: the oracle."""
    sides = {"before": results("first").scores("lines", "a"), "after": results("worse").scores("lines", "a")}
    params = results("worse").params
    expected = compare_systems(sides, params.metrics(), params.statistics(), dataset="lines", baseline="before")
    for pair in expected.comparisons:
        found = by_system(difference("first", "worse"), pair.metric)["a"]
        assert found.difference == pair.difference
        assert found.interval == pair.confidence_interval
        # One system alone changed: the family is as large as that of two systems.
        assert found.pvalue_adjusted == pair.pvalue_adjusted
        assert (found.better, found.same, found.worse) == (pair.better, pair.same, pair.worse)


def test_an_unchanged_system_does_not_enlarge_the_family(difference):
    of = by_system(difference("first", "worse"))
    assert of["a"].pvalue_adjusted == of["a"].pvalue


def test_a_stricter_level_leaves_the_same_difference_open(difference):
    assert by_system(difference("first", "worse", alpha=1e-9))["a"].verdict == "inconclusive"


def test_what_lies_within_a_declared_margin_is_equivalent(difference):
    assert by_system(difference("first", "worse", margin=0.5))["a"].verdict == "equivalent"


def test_what_changed_beside_the_results_is_listed(difference):
    assert difference("first", "worse").changes == [
        Change("engine", "a.engine", "1.0", "2.0"),
        Change("engine", "b.engine", "1.0", "2.0"),
    ]
    assert difference("first", "same").changes == []


def test_the_segments_that_moved_most_come_with_their_texts(difference):
    (dataset,) = difference("first", "worse", Choice(movers=3)).datasets
    assert [(mover.segment_id, mover.errors_before, mover.errors_after) for mover in dataset.movers] == [
        ("p00-l2", 0, 2),
        ("p00-l4", 0, 2),
        ("p01-l1", 0, 2),
    ]
    assert dataset.movers[0].reference == dataset.movers[0].before == "Page 0 line 2 tells of ships"
    assert dataset.movers[0].after == "Page 0 line 2 tells of shlqs"


def test_another_normalizer_is_refused(difference):
    with pytest.raises(NotComparableError, match="the normalizer of cer differs"):
        difference("worse", "lower")


def test_a_step_that_does_something_else_is_another_normalizer_though_no_setting_changed(
    fresh, tmp_path, monkeypatch, write_pages
):
    monkeypatch.setattr("misread.normalize.step.digest_definition", lambda step, **_: "as it was changed")
    write_pages(fresh.root)
    fresh.track()
    fresh.commit("another step")
    sides = [StoredResults(open_revision(fresh.root, name, tmp_path / name)) for name in ("HEAD~1", "HEAD")]
    with pytest.raises(NotComparableError, match=r"the normalizer of cer differs \(whitespace@\w+ -> whitespace@\w+\)"):
        compare_revisions(*sides, sides[1].params.statistics())


def test_a_choice_leaves_the_rest_out(difference):
    found = difference("first", "worse", Choice(("lines",), ("b",), ("wer",), 0))
    assert [(each.system, each.metric) for each in found.differences] == [("b", "wer")]
    with pytest.raises(UnknownNameError, match=r"unknown system 'c' in both revisions. There are: a, b."):
        difference("first", "worse", Choice(systems=("c",)))


def test_one_row_a_system_and_metric_in_json(difference):
    content = to_plain(difference("first", "worse"))
    assert len(content["datasets"][0]["differences"]) == 4
    assert content["changes"][0]["name"] == "a.engine"


def test_results_of_another_layout_name_the_revision_and_the_command(fresh, tmp_path, monkeypatch):
    monkeypatch.setitem(layouts.LAYOUTS, "scores", 2)
    stored = StoredResults(open_revision(fresh.root, "HEAD", tmp_path / "store"))
    message = (
        r"HEAD \(\w+\): build/scores/lines/a/counts.parquet has layout 1, this version reads layout 2; "
        r"run `dvc repro score`"
    )
    with pytest.raises(RevisionError, match=message):
        stored.scores("lines", "a")


def test_results_that_lack_what_this_version_needs_are_refused(fresh, tmp_path):
    path = fresh.root / "build/scores/lines/a/counts.parquet"
    table, note = read_parquet(path, kind="scores", made_by="score")
    path.unlink()
    columns = {name: table[name].combine_chunks() for name in table.column_names if name != "cer.errors"}
    write_parquet(path, columns, kind="scores", note=note)
    stored = StoredResults(open_revision(fresh.root, None, tmp_path / "store"))
    with pytest.raises(RevisionError, match=r"written by another version of misread"):
        stored.scores("lines", "a")


def test_texts_that_are_gone_leave_the_numbers(fresh, tmp_path, write_pages):
    path = fresh.root / "build/normalized/lines/a.parquet"
    digest = open_revision(fresh.root, "HEAD", tmp_path / "x").digest(path.relative_to(fresh.root))
    cached = fresh.root / ".dvc/cache/files/md5" / digest[:2] / digest[2:]
    cached.chmod(0o644)
    cached.unlink()
    write_pages(fresh.root, {"a": REFERENCES, "b": REFERENCES})
    sides = [StoredResults(open_revision(fresh.root, name, tmp_path / str(name))) for name in ("HEAD", None)]
    (dataset,) = compare_revisions(*sides, sides[1].params.statistics()).datasets
    assert dataset.movers[0].reference is None
    assert any("are left out" in note and "dvc pull" in note for note in dataset.notes)


def test_systems_and_segments_of_one_side_only_are_counted_and_left_out(fresh, tmp_path, write_pages):
    write_pages(fresh.root, {"a": REFERENCES, "new": REFERENCES}, slice(40), clusters=None)
    sides = [StoredResults(open_revision(fresh.root, name, tmp_path / str(name))) for name in ("HEAD", None)]
    (dataset,) = compare_revisions(*sides, sides[1].params.statistics()).datasets
    assert (dataset.segments, dataset.only_before, dataset.only_after) == (40, 20, 0)
    assert (dataset.systems_before, dataset.systems_after) == (["b"], ["new"])
    assert dataset.clusters is None
    assert [each.system for each in dataset.differences] == ["a", "a"]


@pytest.fixture
def diff(change):
    return partial(change, "diff", "HEAD", "--movers", "0")


ALL_GONE = {"read": {"a": GOOD}, "metrics": ["cer"], "segments": 55}


@pytest.mark.parametrize(
    ("settings", "gone"),
    [
        ({"read": {"a": GOOD}}, "system b"),
        ({"metrics": ["cer"]}, "metric wer"),
        ({"segments": 55}, "5 segments of lines"),
        (ALL_GONE, "system b, metric wer, 5 segments of lines"),
    ],
    ids=["system", "metric", "segments", "all"],
)
def test_what_is_gone_stands_in_the_headline_and_is_not_passed_over(diff, settings, gone):
    done = diff("--fail-on", "regression", **settings)
    headline = done.out.splitlines()[0]
    assert headline.startswith("INCOMPLETE  gone since HEAD (")
    assert f"): {gone}; of the rest, no segment of " in headline
    assert done.status == 2


@pytest.mark.parametrize("output", ["markdown", "json"])
def test_what_is_gone_stands_in_every_headline_and_is_no_failure_unless_asked(diff, output):
    done = diff("--output", output, **ALL_GONE)
    headline = json.loads(done.out)["headline"] if output == "json" else done.out.splitlines()[0]
    assert headline.startswith("INCOMPLETE  gone since" if output == "json" else "**INCOMPLETE** gone since")
    assert "system b, metric wer, 5 segments of lines; of the rest" in headline
    assert done.status == 0


def test_a_data_set_that_is_gone_stands_in_the_headline(diff, fresh, write_pages):
    write_pages(fresh.root, {"a": REFERENCES}, dataset="other", clusters=None)
    sections = {}
    for name in ("other", "lines"):
        sections[name] = {"_target_": "misread.data.Table", "root": "data", "file": f"{name}.csv"}
    write_pages(fresh.root, params={"datasets": sections})
    fresh.track()
    fresh.commit("two data sets")
    assert "): data set other; of the rest," in diff().out.splitlines()[0]


def test_what_was_not_asked_for_is_not_missed(diff):
    done = diff("--systems", "a", "--metrics", "cer", "--fail-on", "regression", read={"a": GOOD}, metrics=["cer"])
    assert done.out.startswith("UNCHANGED  no segment of 1 system changed since HEAD (")
    assert done.status == 0


def test_what_was_asked_for_by_name_is_missed(diff):
    done = diff("--systems", "a,b", "--fail-on", "regression", read={"a": GOOD})
    assert "): system b; of the rest," in done.out.splitlines()[0]
    assert done.status == 2


def test_what_is_new_is_named_and_hides_nothing(diff):
    done = diff("--fail-on", "regression", read={"a": GOOD, "b": GOOD, "c": GOOD})
    assert done.out.splitlines()[0].startswith("UNCHANGED  no segment of 2 systems changed since HEAD (")
    assert "; new: system c." in done.out.splitlines()[0]
    assert done.status == 0


def test_a_regression_comes_before_what_is_gone_and_both_are_named(diff):
    done = diff("--fail-on", "regression", read={"a": read_badly(2)})
    assert done.out.startswith("REGRESSION  1 of 1 system is significantly worse than at HEAD (")
    assert ": a; gone: system b." in done.out.splitlines()[0]
    assert done.status == 1


@pytest.mark.parametrize("output", ["table", "markdown", "json"])
def test_where_no_p_below_alpha_can_be_reached_nobody_can_tell(diff, output):
    slightly = [*GOOD[:3], "Page wrong", *GOOD[4:]]
    done = diff("--output", output, read={"a": slightly, "b": GOOD})
    if output == "json":
        content = json.loads(done.out)
        assert content["outcome"] == "cannot tell"
        rows = {(row["system"], row["metric"]): row for row in content["datasets"][0]["differences"]}
        assert [rows[system, "cer"]["can_tell"] for system in ("a", "b")] == [False, True]
        headline = content["headline"]
    else:
        headline = done.out.splitlines()[0]
        assert "? cannot tell" in done.out
    assert headline.lstrip("*").startswith("CANNOT TELL")
    assert "no p below 0.05 could be reached for cer of a on lines, wer of a on lines." in headline


def test_three_clusters_cannot_tell_however_much_worse_all_of_them_are(diff, fresh, write_pages):
    write_pages(fresh.root, {"a": GOOD}, slice(15))
    fresh.track()
    fresh.commit("three pages")
    headline = diff("--metrics", "cer", read={"a": read_badly(1)}, segments=15).out.splitlines()[0]
    assert headline.startswith("CANNOT TELL  1 system compared with HEAD (")
    assert headline.endswith("no p below 0.05 could be reached for cer of a on lines.")


def test_one_system_that_could_have_been_told_apart_is_enough_for_an_answer(diff):
    slightly = [*GOOD[:3], "Page wrong", *GOOD[4:]]
    either_way = [text + "x" if row % 10 == 5 else REFERENCES[row] for row, text in enumerate(GOOD)]
    headline = diff(read={"a": slightly, "b": either_way}).out.splitlines()[0]
    assert headline.startswith("NO SIGNIFICANT CHANGE  2 systems compared with HEAD (")
    assert "no p below 0.05 could be reached for cer of a on lines, wer of a on lines." in headline


def test_scores_older_than_the_configuration_beside_them_are_named(fresh, tmp_path):
    params = fresh.root / "params.yaml"
    params.write_text(params.read_text().replace("wer: wer", "wer: wer(unit=grapheme)"), encoding="utf-8")
    sides = [StoredResults(open_revision(fresh.root, name, tmp_path / str(name))) for name in ("HEAD", None)]
    (dataset,) = compare_revisions(*sides, sides[1].params.statistics()).datasets
    assert dataset.notes == [
        f"wer of {system} was scored before params.yaml was changed; run `dvc repro`." for system in ("a", "b")
    ]


def test_captures_under_other_conditions_are_compared_with_one_note(results, monkeypatch):
    before, after = results("first"), results("worse")
    read = StoredResults.scores

    def scores(side, dataset, system):
        scores = read(side, dataset, system)
        concurrency = "4" if side is before else "16"
        conditions = {"concurrency": [concurrency]} if system == "a" else {}
        return replace(scores, origin=replace(scores.origin, conditions=conditions))

    monkeypatch.setattr(StoredResults, "scores", scores)
    (dataset,) = compare_revisions(before, after, after.params.statistics()).datasets
    (note,) = [note for note in dataset.notes if "conditions" in note]
    assert note.startswith("a: Asked under different conditions: concurrency (before 4; after 16). Answers of a model")
