"""Recorded decisions as a metric like any other."""

import hashlib
import json

import pytest

from misread import evaluate
from misread.errors import InputFileError, OutputFileError, UndefinedResultError, UnknownNameError
from misread.features.judges import RecordedJudge
from misread.features.judges.decision_files import Decision, Decisions, read_decisions, refuse_loss, write_decisions

REFERENCES = ["one", "two", "three", "four"]
READ = {"a": ["one", "too", "tree", "for"], "b": ["one", "two", "tree", "four"]}
DECIDED = {("two", "too"): True, ("three", "tree"): False, ("four", "for"): True}


@pytest.fixture
def file(tmp_path):
    def write(decided=DECIDED, name="d.jsonl"):
        found = {
            pair: Decision(same, raw=str(same), reason=None if same is not None else "?")
            for pair, same in decided.items()
        }
        write_decisions(tmp_path / name, Decisions({"model": "m", "prompt_sha256": "ab" * 32}, found))
        return str(tmp_path / name)

    return write


def judged(file, **settings):
    metric = RecordedJudge("judged", file=file, **settings)
    return evaluate(REFERENCES, READ, metrics=["cer", metric], seed=1, statistics={"resamples": 99})


def test_segments_that_are_not_accepted_are_counted(file):
    of = judged(file())
    assert of.systems["a"]["judged"].rate == 1 / 4
    assert of.systems["b"]["judged"].counts == {"wrong": 1, "compared": 4, "decided": 1}
    assert of.systems["a"]["judged"].exact_segments == 3
    assert of.pairs["a", "b"]["judged"].difference == 0


def test_the_signature_names_judge_prompt_and_decisions_and_a_digest_pins_the_file(file):
    path = file()
    digest = hashlib.sha256(open(path, "rb").read()).hexdigest()  # noqa: PTH123, SIM115
    rate = judged(path, sha256=digest[:12].upper()).systems["a"]["judged"]
    assert rate.rate == 1 / 4
    assert f"|judge:m|prompt:abababab|decisions:{digest[:8]}|undecided:error|" in str(rate.signature)
    with pytest.raises(InputFileError, match="judged expects one that begins with 0000"):
        judged(path, sha256="0000")


@pytest.mark.parametrize(("rule", "counts"), [("wrong", [2, 4, 2]), ("drop", [1, 3, 2])])
def test_an_open_pair_is_an_error_or_what_the_rule_says(file, rule, counts):
    path = file({**DECIDED, ("four", "for"): None})
    with pytest.raises(
        UndefinedResultError, match=r"no decision for the pair 'four' and 'for', the first that lacks one"
    ):
        judged(path)
    assert list(judged(path, undecided=rule).systems["a"]["judged"].counts.values()) == counts
    assert list(judged(file({("three", "tree"): False}), undecided=rule).systems["b"]["judged"].counts.values()) == [
        1,
        4,
        1,
    ]


def test_another_rule_and_a_file_that_is_not_there_are_named(file):
    with pytest.raises(UnknownNameError, match="unknown undecided 'right'"):
        judged(file(), undecided="right")
    with pytest.raises(InputFileError, match=r"nothing\.jsonl"):
        judged(file().replace("d.jsonl", "nothing.jsonl"))


def test_decisions_are_written_in_the_order_of_their_texts(file, tmp_path):
    one, two = file(), file(dict(reversed(DECIDED.items())), "e.jsonl")
    assert open(one, "rb").read() == open(two, "rb").read()  # noqa: PTH123, SIM115
    found = read_decisions(tmp_path / "d.jsonl")
    assert {pair: of.same for pair, of in found.by_texts.items()} == DECIDED
    assert found.judge["model"] == "m"


ROW = {"reference": "a", "hypothesis": "b", "same": True}


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], r"expected \{\"judge\""),
        ([ROW], r"line 1: expected \{\"judge\""),
        ([{"judge": {}}, {"reference": "a", "same": True}], "line 2: expected an object with reference and hypothesis"),
        ([{"judge": {}}, [1]], "line 2: expected an object"),
        ([{"judge": {}}, {**ROW, "same": "yes"}], "line 2: same is 'yes', expected true, false, or null"),
        ([{"judge": {}}, ROW, ROW], "line 3: this pair of texts was decided before"),
    ],
)
def test_what_is_no_file_of_decisions_is_refused_with_its_line(tmp_path, lines, words):
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(InputFileError, match=words):
        read_decisions(path)


PAIR = ("two", "too")
BY_QWEN = Decisions({"model": "qwen"}, {PAIR: Decision(True, raw="yes"), ("a", "b"): Decision(False, raw="no")})
OPEN_OF_QWEN = Decisions({"model": "qwen"}, {PAIR: Decision(None, raw="hm", reason="neither yes nor no")})
BY_ANNA = Decisions({"model": "anna"}, {PAIR: Decision(False)})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (BY_ANNA, BY_QWEN),  # of a person, by a model
        (BY_QWEN, Decisions({"model": "qwen"}, {PAIR: Decision(False, raw="no")})),  # changed by hand
        (Decisions({"model": "qwen"}, {PAIR: Decision(True, raw="hm", reason="neither")}), OPEN_OF_QWEN),  # filled
    ],
)
def test_decisions_of_people_are_not_overwritten(tmp_path, before, after):
    write_decisions(tmp_path / "d.jsonl", before)
    with pytest.raises(OutputFileError, match=r"d\.jsonl has 1 decision by people that would be lost; name another"):
        refuse_loss(tmp_path / "d.jsonl", after)
    assert read_decisions(tmp_path / "d.jsonl") == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (BY_QWEN, BY_QWEN),
        (OPEN_OF_QWEN, BY_QWEN),
        (BY_QWEN, Decisions({"model": "other"}, {PAIR: Decision(False, raw="no")})),
        (BY_ANNA, Decisions({"model": "qwen"}, {PAIR: Decision(False, raw="no")})),
    ],
)
def test_answers_of_a_model_are_written_again(tmp_path, before, after):
    write_decisions(tmp_path / "d.jsonl", before)
    refuse_loss(tmp_path / "d.jsonl", after)
    write_decisions(tmp_path / "d.jsonl", after)
    assert read_decisions(tmp_path / "d.jsonl") == after
