"""Seconds of speech without words, against a count of hundredths of a second."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import errors
from misread.data import from_columns, with_annotations
from misread.data.formats.ctm import read_timed_files
from misread.evaluation import evaluate_table
from misread.features.flags.silences import find_silences, subtract, unite
from misread.metrics import ScoredText
from misread.sockets import METRICS

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)).map(lambda span: (span[0], sum(span))), max_size=6)


def turn(start, end, words="some words"):
    return {"speaker": "a", "words": words, "start_time": start, "end_time": end}


def texts(reference, hypothesis):
    return ScoredText(["some words"], ["some"], annotations={"reference_turns": [reference], "turns": [hypothesis]})


def seconds_in(spans):
    return {second for start, end in spans for second in range(start, end)}


@given(SPANS, SPANS)
def test_what_is_not_covered_is_what_no_second_of_the_others_covers(spans, others):
    parts = subtract(unite(spans), unite(others))
    assert seconds_in(parts) == seconds_in(spans) - seconds_in(others)
    assert all(before[1] < after[0] for before, after in pairwise(parts))


def test_a_stretch_of_speech_without_words_is_flagged_with_its_times():
    pairs = texts([turn(0, 20), turn(15, 40)], [turn(0, 12), turn(31.5, 39)])
    ((row, flag),) = find_silences(pairs, 5.0)
    assert (row, flag.kind, flag.start, flag.end) == (0, "silence", 0, 4)
    assert flag.reason == "20.5 of 40.0 seconds of speech have no words: 12.0 to 31.5 s"
    assert METRICS["speech_coverage"].count(pairs).tolist() == [[19500, 40000]]
    assert METRICS["omitted_segments"].count(pairs).tolist() == [[1, 1, 0, 0, 0, 1]]
    assert METRICS["cer_complete"].count(pairs)[0, -1] == 1


def test_a_pause_of_the_speakers_and_a_short_gap_are_no_silence():
    assert not list(find_silences(texts([turn(0, 10), turn(60, 70)], [turn(0, 10), turn(60, 70)]), 5.0))
    assert not list(find_silences(texts([turn(0, 20)], [turn(0, 8), turn(12.9, 20)]), 5.0))


def test_turns_without_words_cover_nothing():
    ((_, flag),) = find_silences(texts([turn(0, 10)], [turn(0, 10, " ")]), 5.0)
    assert flag.reason.startswith("10.0 of 10.0 seconds")


def test_turns_without_times_are_not_looked_at():
    pairs = texts([{"speaker": "a", "words": "some"}], [turn(0, 1)])
    assert not list(find_silences(pairs, 5.0))
    assert METRICS["speech_coverage"].count(pairs).tolist() == [[0, 0]]


def test_coverage_needs_turns():
    with pytest.raises(errors.ConfigurationError, match="speech_coverage needs the annotation 'reference_turns'"):
        METRICS["speech_coverage"].count(ScoredText(["a"], ["a"]))


def test_the_view_names_silences_of_sessions():
    table = from_columns(["some words", "more"], {"a": ["some words", "more"]})
    annotations = {"reference_turns": [[turn(0, 30)], [turn(0, 3)]], "turns": {"a": [[turn(0, 10)], [turn(0, 3)]]}}
    result = evaluate_table(with_annotations(table, annotations), metrics=["wer", "speech_coverage"], seed=1)
    view = result.view("flags")
    assert view[["segment_id", "flag"]].values.tolist() == [["1", "silence"]]
    assert round(result.systems["a"]["speech_coverage"].rate, 3) == round(13 / 33, 3)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.3])
def test_planted_silences_are_found_and_nothing_else(share):
    draw = random.Random(1)  # noqa: S311  times to try, not secrets
    sessions, planted = [], set()
    for row in range(400):
        start, turns = 0.0, []
        for _ in range(draw.randint(5, 30)):
            start += draw.uniform(-1, 3)
            turns.append(turn(start, start := start + draw.uniform(1, 15)))
        # Systems begin late and end early.
        heard = [
            turn(spoken["start_time"] + draw.uniform(0, 1), spoken["end_time"] - draw.uniform(0, 0.5))
            for spoken in turns
        ]
        lasting = [index for index, spoken in enumerate(turns) if spoken["end_time"] - spoken["start_time"] > 7.5]
        if lasting and draw.random() < share:
            del heard[draw.choice(lasting)]
            planted.add(row)
        sessions.append((turns, heard))
    references, hypotheses = zip(*sessions, strict=True)
    pairs = ScoredText(["a"] * 400, ["a"] * 400, annotations={"reference_turns": [*references], "turns": [*hypotheses]})
    flagged = {row for row, _ in find_silences(pairs, 5.0)}
    assert planted
    assert len(flagged & planted) >= 0.95 * len(planted)
    assert len(flagged & planted) >= 0.95 * len(flagged)


WORDS = ["a", "fine", "day", "for", "the", "fair", "they", "said"]


def spoken(folder, hole, *, length=30.0):
    """A segment in which a word is spoken every second, and what a system heard of it but for a hole in seconds."""
    number = int(length)
    reference = " ".join(WORDS[second % len(WORDS)] for second in range(number))
    heard = [
        f"call 1 {second + 0.1} 0.7 {WORDS[second % len(WORDS)]}"
        for second in range(number)
        if not hole[0] <= second < hole[1]
    ]
    (folder / "r.stm").write_text(f"call 1 ann 0.0 {length} <o> {reference}\ncall 1 bob {length} 40.0 <o> bye\n")
    (folder / "h.ctm").write_text("\n".join([*heard, "call 1 35.0 0.5 bye"]) + "\n")
    return read_timed_files(folder / "r.stm", {"x": folder / "h.ctm"})


@pytest.mark.parametrize("hole", [(0, 7), (12, 19), (23, 30)])
def test_a_hole_between_words_of_a_ctm_is_a_silence_with_its_times(tmp_path, hole):
    result = evaluate_table(spoken(tmp_path, hole), metrics=["wer", "omitted_segments"], seed=1)
    view = result.view("flags")
    silences = view[view["flag"] == "silence"]
    assert silences["segment_id"].tolist() == ["ann-000"]
    reason = silences["reason"].item()
    start = hole[0] and hole[0] - 0.2
    end = hole[1] if hole[1] == 30 else hole[1] + 0.1
    assert reason == f"{end - start:.1f} of 30.0 seconds of speech have no words: {start:.1f} to {end:.1f} s"
    assert result.systems["x"]["omitted_segments"].counts["flags_silence"] == 1


def test_short_holes_of_a_ctm_and_pauses_in_which_no_word_is_missing_are_no_silence(tmp_path):
    def flagged(table):
        view = evaluate_table(table, metrics=["wer"], seed=1).view("flags")
        return [*view.get("flag", [])]

    assert "silence" not in flagged(spoken(tmp_path, (12, 16)))
    assert "silence" not in flagged(spoken(tmp_path, (0, 0)))
    # A pause of thirteen seconds between two words that were both heard.
    (tmp_path / "r.stm").write_text("call 1 ann 0.0 20.0 <o> well then\n")
    (tmp_path / "h.ctm").write_text("call 1 1.0 0.5 well\ncall 1 15.0 0.5 then\n")
    assert flagged(read_timed_files(tmp_path / "r.stm", {"x": tmp_path / "h.ctm"})) == []


def test_words_of_another_segment_cover_time_that_both_share(tmp_path):
    (tmp_path / "r.stm").write_text("call 1 ann 0.0 10.0 <o> one two three\ncall 1 bob 2.0 12.0 <o> four five six\n")
    (tmp_path / "h.ctm").write_text("".join(f"call 1 {second} 1.0 w{second}\n" for second in range(12)))
    table = read_timed_files(tmp_path / "r.stm", {"x": tmp_path / "h.ctm"})
    assert table.annotations_of == {}
