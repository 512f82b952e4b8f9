"""Suspect references: planted errors are found, and systems that repeat them are told."""

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import cer, evaluate
from misread.errors import UndefinedResultError, UnknownNameError
from misread.features.suspects.references import _differences, _propose, check_references, check_result, share_interval
from misread.sockets import lay_out_views
from misread.tables import ReportSettings, ViewInput

TRUTH = [f"page {row} of the old book" for row in range(12)]
PAGES = [f"p{row // 3}" for row in range(12)]
WRONG = {1: "page 1 of the odd book", 5: "page 5 of old book", 8: "page 8 of the the old book"}
REFERENCES = [WRONG.get(row, text) for row, text in enumerate(TRUTH)]
OPTIONS = {"metrics": ["cer", "exact_line_f1"], "seed": 1, "statistics": {"resamples": 99}}


def checked(hypotheses, references=REFERENCES, **options):
    return check_result(evaluate(references, hypotheses, clusters=PAGES, **{**OPTIONS, **options}))


def test_planted_errors_are_found_with_the_errors_they_explain_both_readings_and_who_agrees():
    check = checked({"a": TRUTH, "b": TRUTH, "c": REFERENCES})
    suspects = {suspect.segment_id: suspect for suspect in check.suspects}
    assert {key: suspect.proposal for key, suspect in suspects.items()} == {str(row + 1): TRUTH[row] for row in WRONG}
    for key, suspect in suspects.items():
        wrong, right = REFERENCES[int(key) - 1], TRUTH[int(key) - 1]
        edits = round(cer([wrong], [right]) * len(wrong))
        assert suspect.explained == {"a": edits, "b": edits, "c": -round(cer([right], [wrong]) * len(right))}
    totals = [suspect.total for suspect in check.suspects]
    assert totals == sorted(totals, reverse=True)
    for key, reference, reading in (("2", "odd", "old"), ("6", "", "the"), ("9", "the", "")):
        (place,) = suspects[key].places
        assert (place.reference, place.reading, place.systems) == (reference, reading, ("a", "b"))


def test_a_system_that_repeats_errors_of_the_reference_stands_out():
    found = checked({"a": TRUTH, "b": TRUTH, "c": REFERENCES}).systems
    assert (found["c"].repeats, found["c"].places, found["c"].share) == (3, 3, 1.0)
    assert found["c"].interval.high == 1.0
    # Of three clusters with places, all by the exact interval.
    assert found["c"].interval.low == pytest.approx(0.025 ** (1 / 3))
    # The two others of "a" do not agree: one repeats what the other does not.
    assert (found["a"].places, found["a"].share, found["a"].interval) == (0, None, None)


def test_shares_between_none_and_all_have_an_interval_by_cluster():
    copied = [REFERENCES[row] if row in (1, 8) else text for row, text in enumerate(TRUTH)]
    found = checked({"a": TRUTH, "b": TRUTH, "d": TRUTH, "c": copied}).systems["c"]
    assert (found.repeats, found.places) == (2, 3)
    # Three clusters have places.
    assert found.interval is None
    interval = share_interval(np.array([[1, 1], [0, 1], [1, 1], [1, 2], [2, 2]]), 0.95)
    assert 0 < interval.low < 5 / 7 < interval.high < 1
    assert interval.method == "jackknife"


def test_half_of_the_systems_are_not_most():
    assert not checked({"a": TRUTH, "b": REFERENCES}).suspects
    assert len(checked({"a": TRUTH, "b": TRUTH}).suspects) == 3
    assert not checked({"a": TRUTH, "b": TRUTH, "c": REFERENCES, "d": REFERENCES}).suspects
    odd = [text.replace("old", "cold") for text in TRUTH]
    assert not {of.segment_id for of in checked({"a": TRUTH, "b": odd, "c": REFERENCES}).suspects} & {"2"}


def test_systems_that_agree_with_the_reference_leave_nothing_to_say():
    found = checked({"a": TRUTH, "b": TRUTH}, references=TRUTH)
    assert found.suspects == ()
    assert {of.share for of in found.systems.values()} == {None}


def test_a_segment_without_a_hypothesis_is_left_out():
    found = checked({"a": [None, *TRUTH[1:]], "b": TRUTH}, missing="drop")
    assert (found.segments, found.left_out) == (11, 1)


def test_normalized_texts_are_compared():
    shouted = [text.upper() for text in TRUTH]
    assert len(checked({"a": shouted, "b": shouted}, normalizer="lower").suspects) == 3


@pytest.mark.parametrize(
    ("hypotheses", "metric", "error", "words"),
    [
        ({"a": TRUTH}, "cer", UndefinedResultError, "several systems agree against it, and there is only a"),
        ({"a": TRUTH, "b": TRUTH}, "exact_line_f1", UndefinedResultError, "exact_line_f1 counts no errors"),
        ({"a": TRUTH, "b": TRUTH}, "wer", UnknownNameError, "'wer'"),
    ],
)
def test_what_cannot_be_checked_is_refused(hypotheses, metric, error, words):
    with pytest.raises(error, match=words):
        check_result(evaluate(REFERENCES, hypotheses, **OPTIONS), metric)


WORDS = st.lists(st.sampled_from("abc"), max_size=5).map(" ".join)


@given(WORDS, WORDS)
def test_all_readings_of_one_system_turn_the_reference_into_its_text(reference, hypothesis):
    from misread.alignment import PairedTexts, paired_operations

    (letters,) = paired_operations(PairedTexts([reference], [hypothesis]), unit="word", alignment="unit").letters()
    changes = {slot: (reading, ()) for slot, reading in _differences(letters, hypothesis.split()).items()}
    assert _propose(reference, changes).split() == hypothesis.split()


def test_white_space_between_words_that_stay_is_kept():
    assert _propose("a  b\nc", {(2, True): ("d", ())}) == "a  b\nd"
    assert _propose("a  b\nc", {(1, True): ("", ())}) == "a\nc"
    assert _propose("", {(0, False): ("x y", ())}) == "x y"
    assert _propose("a", {(1, False): ("b", ())}) == "a b"


def test_votes_are_those_of_a_slow_count():
    """All readings of one word by four systems: the majority is that of counting by hand."""
    from misread.features.suspects.references import _majority

    for readings in product(["x", "y", "ref"], repeat=4):
        votes = {str(number): of for number, of in enumerate(readings) if of != "ref"}
        expected = next((of for of in "xy" if readings.count(of) >= 3), None)
        found = _majority(votes, 4)
        assert (found[0] if found else None) == expected


def test_systems_on_directories_have_suspects(data_of_every_format):
    text = (data_of_every_format / "das22_directories" / "entries.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.split("\n")[:400]]
    systems = {name: [row[name] for row in rows] for name in ("pero", "tesseract4", "kraken")}
    result = evaluate([row["ref"] for row in rows], systems, **OPTIONS)
    found = check_result(result)
    assert 0 < len(found.suspects) < len(rows)
    assert all(of.explained <= of.errors for of in found.systems.values())
    assert np.all([0 <= of.share <= 1 for of in found.systems.values() if of.share is not None])


def test_views_of_a_report_have_the_same_figures_with_names_for_people():
    result = evaluate(REFERENCES, {"a": TRUTH, "b": TRUTH, "c": REFERENCES}, clusters=PAGES, **OPTIONS)
    found = check_result(result)
    settings = ReportSettings(["exact_line_f1", "cer"], names={"c": "The third"}, figure_formats=[])
    suspects, repeats = lay_out_views(ViewInput("lines", result.scored, settings), ["suspects(most=1)", "repeats"])
    assert [record[:2] for record in suspects.records] == [("lines", of.segment_id) for of in found.suspects]
    # Rows of the page are limited, and records of files are not.
    assert len(suspects.cells) == 1
    assert [*suspects.segments] == [found.suspects[0].segment_id]
    assert (suspects.stem, repeats.stem) == ("lines_suspects_most_1", "lines_repeats")
    of_third = found.systems["c"]
    assert repeats.cells[2][0].text == "The third"
    assert repeats.records[2][:5] == ("lines", "c", of_third.repeats, of_third.places, of_third.share)
    assert repeats.records[2][5:7] == (of_third.interval.low, of_third.interval.high)


def test_both_views_of_a_report_share_one_check(monkeypatch):
    result = evaluate(REFERENCES, {"a": TRUTH, "b": TRUTH, "c": REFERENCES}, clusters=PAGES, **OPTIONS)
    checks = []

    def check(*arguments):
        checks.append(check_references(*arguments))
        return checks[-1]

    monkeypatch.setattr("misread.features.suspects.table.check_references", check)
    source = ViewInput("lines", result.scored, ReportSettings(["cer"]))
    assert len(lay_out_views(source, ["suspects", "repeats"])) == 2
    assert len(checks) == 1


def test_one_system_and_texts_without_an_error_rate_have_no_such_view():
    result = evaluate(REFERENCES, {"a": TRUTH, "b": TRUTH}, **OPTIONS)
    alone = {"a": result.scored["a"]}
    assert lay_out_views(ViewInput("lines", alone, ReportSettings(["cer"])), ["suspects", "repeats"]) == []
    assert lay_out_views(ViewInput("lines", result.scored, ReportSettings(["exact_line_f1"])), ["suspects"]) == []
    # Two systems have no others whose majority could say what is repeated.
    assert lay_out_views(ViewInput("lines", result.scored, ReportSettings(["cer"])), ["repeats"]) == []
