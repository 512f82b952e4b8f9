"""`misread score --normalizer none,ocr`: the same texts under several normalizers, in one table for each metric."""

import csv
import io
import re

import pytest

from misread.normalize import PROFILES

QUICK = ("--metrics", "cer", "--resamples", "99")
# Under `none` b is better, under `lower` a is: it has every case wrong, and b one letter of each word.
SKY = ("fine", "dull", "warm", "cold", "long", "grey", "calm", "wild")
TRUTH = [f"{word} day number {row}" for row, word in enumerate(SKY * 3)]
SHOUTED = [line.upper() for line in TRUTH]
MISREAD = [line.replace("a", "e").replace("u", "x") for line in TRUTH]


@pytest.fixture
def files(write_lines):
    for name, lines in {"r.txt": TRUTH, "a.txt": SHOUTED, "b.txt": MISREAD, "c.txt": MISREAD}.items():
        write_lines(name, "".join(f"{line}\n" for line in lines))
    return "r.txt", "a.txt", "b.txt"


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_rates_and_intervals_are_those_of_each_normalizer_by_itself(misread, files):
    together = rows_of(misread("score", *files, *QUICK, "--output", "csv", "--normalizer", "none,lower,ocr").out)
    assert [row["normalizer"] for row in together] == ["none", "none", "lower", "lower", "ocr", "ocr"]
    for name in ("none", "lower", "ocr"):
        alone = rows_of(misread("score", *files, *QUICK, "--output", "csv", "--normalizer", name).out)
        rows = [row for row in together if row["normalizer"] == name]
        for row, expected in zip(rows, alone, strict=True):
            assert row | {"signature": ""} == {"normalizer": name} | expected | {"signature": ""}


def test_json_has_the_whole_result_of_each(misread, files):
    done = misread("score", *files, *QUICK, "--output", "json", "--normalizer", "none,lower")
    options = (*files, *QUICK, "--output", "json", "--normalizer")
    assert done.json["normalizers"] == {name: misread("score", *options, name).json for name in ("none", "lower")}


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html"])
def test_the_answer_names_who_is_ahead_under_which_normalizer(misread, files, output):
    done = misread("score", *files, *QUICK, "--output", output, "--normalizer", "none,whitespace,lower")
    said = " ".join(done.out.split())
    assert "Under none and whitespace, b is significantly ahead; under lower, a is significantly ahead." in said
    assert "norm:none+whitespace@" in said.replace(r"\textbar{}\allowbreak{}", "|")


def test_of_three_systems_every_rate_has_the_ranks_that_the_tests_leave_open(misread, files):
    done = misread("score", *files, "c.txt", *QUICK, "--normalizer", "none,lower")
    lines = [line.split() for line in done.out.splitlines() if re.match(r"[abc] +\d", line)]
    assert {line[0]: line[2:4] + line[5:7] for line in lines} == {
        "a": ["3", "b", "1", "a"],
        "b": ["1–2", "a", "2–3", "b"],
        "c": ["1–2", "a", "2–3", "b"],
    }
    said = " ".join(done.out.split())
    assert "Under none, the data cannot tell b from c; under lower, a is significantly ahead." in said


def test_one_system_has_rates_and_no_answer(misread, files):
    done = misread("score", *files[:2], *QUICK, "--normalizer", "none,lower")
    assert (done.status, "ahead" in done.out, "p:" in done.out) == (0, False, False)


def test_pairs_with_a_baseline_are_said_as_such(misread, files):
    done = misread("score", *files, "c.txt", *QUICK, "--normalizer", "none,lower", "--pairs", "baseline")
    assert "b (by" in done.out
    assert "than a" in done.out
    assert "rank" not in done.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--normalizer", "none,nfc"),
            "--normalizer is 'none,nfc', expected normalizers, or steps such as nfc, not both.",
        ),
        (("--normalizer", "none,none"), "--normalizer names 'none' twice; once is enough."),
        (("--normalizer", "none,ocrr"), "unknown normalizer 'ocrr' in --normalizer. Did you mean 'ocr'?"),
        (("--normalizer", "none,ocr", "--view", "worst"), "--view is for one normalizer, not for none, ocr."),
        (("--normalizer", "none,ocr", "--run-dir", "run"), "--run-dir is for one normalizer, not for none, ocr."),
        (("--normalizer", "none,ocr", "--output", "eval-results"), "--output is for one normalizer, not for none, ocr"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_scored(misread, files, options, message):
    done = misread("score", *files, *QUICK, *options)
    assert (done.status, done.out) == (1, "")
    assert message in done.err


def test_other_commands_take_one_normalizer_and_say_who_compares_several(misread, files):
    done = misread("plan", "size", *files, "--difference", "0.01", "--normalizer", "none,ocr")
    assert "expected one normalizer, not 2: `misread score` compares them" in done.err


def test_a_file_is_a_normalizer_among_others(misread, files, write_lines):
    write_lines("own.yaml", "[lower_case]\n")
    rows = rows_of(misread("score", *files, *QUICK, "--output", "csv", "--normalizer", "none,own.yaml").out)
    assert {row["normalizer"] for row in rows} == {"none", "own"}


def test_steps_alone_are_one_normalizer_also_where_one_is_called_like_a_normalizer(misread, files):
    assert "lower_ascii" in PROFILES
    done = misread("score", *files, *QUICK, "--normalizer", "nfc,lower_ascii", "--output", "json")
    assert "|norm:steps@" in done.out


def test_segments_cut_again_are_cut_as_each_normalizer_aligns_them(misread, files):
    options = (*QUICK, "--resegment", "--output", "json", "--normalizer")
    together = misread("score", *files, *options, "none,lower").json["normalizers"]
    assert together == {name: misread("score", *files, *options, name).json for name in ("none", "lower")}


@pytest.mark.parametrize(
    ("options", "has_hint"),
    [((), True), (("--normalizer", "lower"), False), (("--output", "csv"), False), (("--output", "markdown"), False)],
)
def test_a_first_table_of_files_ends_in_one_hint(misread, files, options, has_hint):
    done = misread("score", *files, *QUICK, *options)
    assert done.err.count("\n") == done.err.count("hint: --cluster") == has_hint


def test_nothing_is_printed_above_a_first_table_of_files_that_are_recognised(misread, write_lines, monkeypatch):
    text = "1\n00:00:01,000 --> 00:00:02,000\nHello there\n\n2\n00:00:03,000 --> 00:00:04,000\nGood bye\n"
    write_lines("r.srt", text)
    write_lines("h.srt", text.replace("bye", "by"))
    printed = []
    monkeypatch.setattr("misread.cli.score.print_result", lambda *_: printed.append("table"))
    monkeypatch.setattr("misread.io.console.warn", printed.append)
    assert misread("score", "r.srt", "h.srt", *QUICK).status == 0
    assert printed == ["table", "r.srt is read as srt, as its content says."]
