"""Rates of several speakers, compared with meeteval."""

import json
import random

import numpy as np
import pytest

from misread.data import read_segment_files
from misread.errors import ConfigurationError, InputFileError, InputTextError, InputValueError
from misread.features import speakers
from misread.features.speakers import SpeakerErrorRate
from misread.metrics import ScoredText
from misread.normalize import get_normalizer, normalize
from misread.sockets import METRICS
from misread.tally import ScoredSystem

RATES = ("cp_wer", "tcp_wer", "orc_wer", "attribution_error_rate")


def sessions(*pairs, hypotheses=None):
    references, found = (list(side) for side in zip(*pairs, strict=True))
    texts = [" ".join(turn["words"] for turn in turns) if isinstance(turns, list) else "" for turns in references]
    annotations = {"reference_turns": references, "turns": found}
    return ScoredText(texts, hypotheses or texts, annotations=annotations)


def turn(speaker, words, begin=None, end=None):
    times = {} if begin is None else {"start_time": begin, "end_time": end}
    return {"speaker": speaker, "words": words, **times}


def errors(metric, *pairs):
    return METRICS[metric].count(sessions(*pairs))[:, 0].tolist()


def scored(path, reference, hypothesis, normalizer="none"):
    formats = ["stm" if name.endswith(".stm") else "seglst" for name in (reference, hypothesis)]
    table = read_segment_files(path / reference, {"a": path / hypothesis}, *formats, sessions=True)
    texts = normalize(table.captures()["a"], get_normalizer(normalizer))
    return ScoredSystem(texts, [METRICS[name] for name in RATES]).scores


@pytest.mark.parametrize("ending", ["stm", "seglst.json"])
def test_published_errors_of_two_recordings_are_reproduced(data_of_every_format, ending):
    scores = scored(data_of_every_format / "speakers", f"ref.{ending}", f"hyp.{ending}")
    totals = {name: of.total.tolist() for name, of in scores.counts.items()}
    assert totals["cp_wer"][:5] == [25, 92, 2, 15, 8]
    assert totals["tcp_wer"][:2] == [25, 92]
    # meeteval 0.4.3 counts I 0, D 7, S 2 for these turns.
    assert totals["orc_wer"][:5] == [9, 92, 2, 7, 0]
    assert totals["attribution_error_rate"][:2] == [16, 92]
    assert scores.segments.cluster == ["recordingA", "recordingB"]


def test_half_of_the_words_given_to_somebody_else_are_never_0():
    session = [turn("A", "the cat"), turn("B", "sat on")], [turn("x", "the cat sat"), turn("y", "on")]
    counts = METRICS["cp_wer"].count(sessions(session))
    assert METRICS["cp_wer"].rate(counts).tolist() == [0.5]


def random_session(draw):
    def side(most):
        turns = []
        for _ in range(draw.randint(1, 5)):
            begin = draw.randint(0, 40) / 4
            words = " ".join(draw.choices(("a", "bb", "ccc", "dddd"), k=draw.randint(1, 4)))
            turns.append(turn(f"s{draw.randint(1, most)}", words, begin, begin + draw.randint(1, 12) / 4))
        # Begins are distinct, so that there is one order of time.
        for place, each in enumerate(turns):
            each["start_time"] += place / 128
            each["end_time"] += place / 128
        return turns

    return side(3), side(3)


@pytest.mark.slow
def test_random_sessions_have_the_errors_that_meeteval_counts():
    from meeteval.io import SegLST
    from meeteval.wer import cpwer, orcwer, tcpwer

    draw = random.Random(1)  # noqa: S311  sessions to try, not secrets
    pairs = [random_session(draw) for _ in range(300)]
    sides = [
        SegLST([{**each, "session_id": f"{row}"} for row, pair in enumerate(pairs) for each in pair[side]])
        for side in (0, 1)
    ]
    theirs = {"cp_wer": cpwer(*sides), "orc_wer": orcwer(*sides), "tcp_wer": tcpwer(*sides, collar=1)}
    texts = sessions(*pairs)
    for metric, found in theirs.items():
        rate = SpeakerErrorRate("tcp_wer", "timed_permutation", 1.0) if metric == "tcp_wer" else METRICS[metric]
        counts = rate.count(texts)
        assert counts[:, 0].tolist() == [found[f"{row}"].errors for row in range(len(pairs))], metric
        assert counts[:, 1].tolist() == [found[f"{row}"].length for row in range(len(pairs))]
        if metric != "tcp_wer":
            # Streams of equally few errors may differ in what these are; most often there are none.
            kinds = [(of.substitutions, of.deletions, of.insertions) for of in map(found.get, map(str, range(300)))]
            same = np.mean([tuple(own) == theirs for own, theirs in zip(counts[:, 2:5].tolist(), kinds, strict=True)])
            assert same > 0.9, metric
            assert counts[:, 2:5].sum(axis=1).tolist() == counts[:, 0].tolist()


def test_recognition_and_attribution_add_up_to_the_errors_of_the_permutation():
    draw = random.Random(2)  # noqa: S311  sessions to try, not secrets
    texts = sessions(*(random_session(draw) for _ in range(50)))
    split = METRICS["attribution_error_rate"].count(texts)[:, 0]
    assert (split >= 0).all()
    np.testing.assert_array_equal(split + METRICS["orc_wer"].count(texts)[:, 0], METRICS["cp_wer"].count(texts)[:, 0])


def test_words_out_of_their_time_are_errors_beyond_the_collar():
    session = [turn("A", "yes", 0, 1)], [turn("x", "yes", 7, 8)]
    texts = sessions(session)
    assert SpeakerErrorRate("x", "timed_permutation", 6.5).count(texts)[0, 0] == 2
    assert SpeakerErrorRate("x", "timed_permutation", 6.6).count(texts)[0, 0] == 0


def test_speakers_without_words_and_sessions_without_turns_are_defined():
    session = [turn("A", "a b"), turn("B", "")], [turn("x", "a b"), turn("y", ""), turn("z", " ")]
    for metric in ("cp_wer", "orc_wer"):
        assert errors(metric, session, ([], []), ([turn("A", "a")], []), ([], [turn("x", "a b")])) == [0, 0, 1, 2]


def test_thirty_speakers_are_assigned_in_no_time():
    reference = [turn(f"r{number}", f"word{number} again") for number in range(30)]
    hypothesis = [turn(f"h{number}", f"word{29 - number} again") for number in range(30)]
    assert errors("cp_wer", (reference, hypothesis)) == [0]


def test_more_places_than_can_be_tried_are_refused_with_the_session():
    many = [turn(f"s{number}", "a b c") for number in range(21)]
    with pytest.raises(
        InputTextError, match=r"orc_wer, segment 1: 21 speakers of the hypothesis with 63 words .* cp_wer"
    ):
        METRICS["orc_wer"].count(sessions((many, many)))


def test_the_limit_itself_can_be_counted(monkeypatch):
    monkeypatch.setattr(speakers, "MOST_STATES", 4)
    session = [turn("A", "a")], [turn("x", "a"), turn("y", "b")]
    assert errors("orc_wer", session) == [1]
    monkeypatch.setattr(speakers, "MOST_STATES", 3)
    with pytest.raises(InputTextError, match="above the limit of 3"):
        errors("orc_wer", session)


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        (None, "the reference of segment 1 has no turns"),
        ([{"words": "a"}], "turn 1: expected an object with speaker and words"),
        ([turn("A", "a")], "turn 1 has no start_time and end_time"),
        ([turn("A", "a", "x", 1)], "start_time is 'x', expected seconds"),
        ([turn("A", "a", 2, 1)], "turn 1 ends at 1, before it begins at 2"),
        ([turn("A", "a", float("nan"), 1)], "start_time is nan, expected seconds"),
    ],
)
def test_turns_that_are_none_are_refused(turns, message):
    with pytest.raises(InputValueError, match=message):
        METRICS["tcp_wer"].count(sessions((turns, [])))


def test_a_collar_below_0_is_refused():
    with pytest.raises(ConfigurationError, match="collar of x is -1, expected seconds from 0"):
        SpeakerErrorRate("x", "timed_permutation", -1)


def test_words_of_turns_are_normalized_as_texts_are(tmp_path):
    for name, words in (("ref.json", "One"), ("hyp.json", "one")):
        (tmp_path / name).write_text(json.dumps([{"session_id": "s", **turn("A", words, 0, 1)}]), encoding="utf-8")
    assert scored(tmp_path, "ref.json", "hyp.json").counts["cp_wer"].total[0] == 1
    assert scored(tmp_path, "ref.json", "hyp.json", "lower").counts["cp_wer"].total[0] == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "expected a JSON array of objects with session_id"),
        ("[]", "has no turn"),
        ('[{"session_id": "s", "speaker": [1], "words": "a"}]', r"entry 1: speaker is \[1\]"),
        ('[{"session_id": "s", "words": "a"}]', "entry 1: no speaker, which rates of several speakers need"),
        ('[{"session_id": "s", "speaker": null, "words": "a"}]', "entry 1: no speaker"),
    ],
)
def test_files_that_are_no_sessions_are_refused(tmp_path, content, message):
    path = tmp_path / "ref.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputFileError, match=message):
        read_segment_files(path, {"a": path}, "seglst", sessions=True)


def test_a_session_that_the_reference_lacks_is_refused(tmp_path):
    for name in ("ref", "hyp"):
        content = json.dumps([{"session_id": name, **turn("A", "a")}])
        (tmp_path / f"{name}.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputFileError, match="has no session 'hyp' to compare with"):
        read_segment_files(tmp_path / "ref.json", {"a": tmp_path / "hyp.json"}, "seglst", sessions=True)
