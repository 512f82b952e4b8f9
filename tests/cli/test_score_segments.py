"""Formats of segments through `misread score`, cut again or not, and `misread convert`."""

import json
import re

import pytest

QUICK = ("--resamples", "99", "--output", "json", "--metrics", "wer")
SRT = "1\n00:00:01,000 --> 00:00:02,000\none two\n\n2\n00:00:02,000 --> 00:00:04,000\nthree four\n"


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


def counts(done, metric="wer"):
    (of,) = done.json["systems"].values()
    return {name: of[metric]["counts"][name] for name in ("errors", "length")}


def test_recordings_are_cut_again_with_the_errors_of_the_whole(misread, data_of_every_format):
    folder = data_of_every_format / "speakers"
    files = ("--ref", folder / "ref.seglst.json", "--hyp", f"h={folder / 'hyp.seglst.json'}", "--format", "seglst")
    done = misread("score", *files, *QUICK)
    assert (done.status, "segments of 'recordingA' have other times" in done.err) == (1, True)
    done = misread("score", *files, "--resegment", *QUICK)
    # What meeteval counts where speakers do not matter: 9 of 92.
    assert counts(done) == {"errors": 9, "length": 92}
    assert "|segments:cut-by-words|" in done.json["systems"]["h"]["wer"]["signature"]


@pytest.mark.parametrize("forms", [("seglst", "seglst"), ("stm", "stm"), ("stm", "seglst")])
def test_a_metric_of_speakers_reads_whole_sessions(misread, data_of_every_format, write, forms):
    endings = {"stm": "stm", "seglst": "seglst.json"}
    # The format decides, whatever a file is called.
    named = [
        write(side, (data_of_every_format / "speakers" / f"{side}.{endings[form]}").read_text(encoding="utf-8"))
        for side, form in zip(("ref", "hyp"), forms, strict=True)
    ]
    options = ("--format", forms[0], "--hyp-format", forms[1], "--resamples", "99", "--output", "json")
    done = misread("score", *named, *options, "--metrics", "wer,cp_wer")
    assert done.json["segments"] == 2
    assert counts(done, "cp_wer") == {"errors": 25, "length": 92}
    assert counts(done, "wer")["length"] == 92


def test_segments_are_read_unless_a_metric_is_of_speakers(misread, write):
    lines = "f 1 ann 0 1 a\nf 1 bob 1 2 b\ng 1 ann 0 1 c\n"
    files = write("r.stm", lines), write("h.stm", lines.replace("bob", "eve").replace("c", "x"))
    for metric, segments, found in (("wer", 3, 1), ("cp_wer", 2, 1), ("attribution_error_rate", 2, 0)):
        done = misread("score", *files, "--format", "stm", "--metrics", metric, *QUICK[:4])
        assert (done.json["segments"], counts(done, metric)["errors"]) == (segments, found)
    done = misread("score", *files, "--format", "stm", "--metrics", "cp_wer", "--cluster", "^([a-f])?", *QUICK[:4])
    assert done.status == 1
    assert "cluster" in done.err
    done = misread("score", *files, "--format", "stm", "--metrics", "cp_wer", "--resegment")
    assert (done.status, "whole sessions, in which --resegment changes nothing" in done.err) == (1, True)


def test_columns_beside_ids_are_clusters_of_segments_and_of_sessions(misread, write):
    lines = "f 1 ann 0 1 a\ng 1 ann 0 1 c\n"
    files = "--ref", write("r.stm", lines), "--hyp", f"h={write('h.stm', lines)}", "--format", "stm"
    beside = write("beside.csv", "id,room\nf,1\ng,2\nann-000,1\nann-001,2\n")
    for metric in ("wer", "cp_wer"):
        done = misread("score", *files, "--ids-table", beside, "--cluster", "room", *QUICK[:4], "--metrics", metric)
        assert (done.status, done.json["clusters"]) == (0, 2)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("talk.srt", SRT),
        ("talk.vtt", "WEBVTT\n\n00:01.000 --> 00:02.500\none\n"),
        ("talk.stm", "talk A anna 0 1 one\ntalk A anna 1 2 two\n"),
        ("talk.trn", "one (anna-1)\ntwo (anna-2)\n"),
        ("talk.json", '[{"session_id": "a", "speaker": "b", "start_time": 0, "end_time": 1, "words": "one"}]'),
    ],
)
def test_score_and_convert_read_what_is_recognised(misread, write, tmp_path, name, content):
    ours, theirs = write(name, content), write(f"h-{name}", content)
    scored = misread("score", ours, theirs, *QUICK)
    assert (scored.status, counts(scored)["errors"]) == (0, 0)
    form = misread("convert", ours, tmp_path / "out.jsonl", "--to", "jsonl").err.partition(" is read as ")[2]
    form = form.partition(",")[0]
    assert f"{ours} is read as {form}, as its content says." in scored.json["warnings"]


def test_outputs_that_are_recognised_as_several_formats_are_refused(misread, write):
    files = write("r.srt", SRT), write("a.srt", SRT), write("b.vtt", "WEBVTT\n\n00:01.000 --> 00:02.500\none\n")
    done = misread("score", *files)
    assert done.status == 1
    assert re.search(r"a\.srt is SRT and \S*b\.vtt is WebVTT: give outputs of one format, or name it", done.err)


def test_words_are_cut_as_they_are_scored(misread, write):
    files = write("r.txt", "It is\nA dog.\n"), write("h.txt", "IT\nIS A DOG.\n")
    assert counts(misread("score", *files, "--resegment", "--normalizer", "lower", *QUICK))["errors"] == 0
    assert counts(misread("score", *files, "--resegment", *QUICK))["errors"] == 3


def test_answers_are_compared_with_all_accepted_ones(misread, write):
    truth = {
        "data": [{"questionId": 1, "answers": ["12 May", "May 12"]}, {"questionId": 2, "answers": ["INV-2024-001"]}]
    }
    given = [{"questionId": 2, "answer": "INV-2024-OO1"}, {"questionId": 1, "answer": "may 12"}]
    files = ("--ref", write("t.json", json.dumps(truth)), "--hyp", f"a={write('a.json', json.dumps(given))}")
    done = misread("score", *files, "--format", "docvqa", "--metrics", "qa_anls,qa_success", "--output", "json")
    (system,) = done.json["systems"].values()
    assert system["qa_anls"]["micro"] == pytest.approx((1 + 10 / 12) / 2)
    assert system["qa_success"]["micro"] == 0.5
    assert "qa_anls" in done.err


def test_a_folder_is_no_table(misread, tmp_path):
    done = misread("score", "--table", tmp_path, "--ref", "text", "--hyp", "a=pred", *QUICK)
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "is a folder, expected a table: .csv, .tsv, .jsonl, .json or .parquet, as `to_parquet` of a data" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [(("--format", "vtt"), "webvtt"), (("--table", "t.csv", "--resegment"), "--resegment is for files of segments")],
)
def test_a_wrong_option_is_one_line(misread, options, message):
    done = misread("score", "--ref", "r", "--hyp", "h=h", *options)
    assert done.status != 0
    assert message in done.err


def test_convert_says_what_is_lost_and_what_was_written(misread, write, tmp_path):
    source, target = write("talk.srt", SRT), tmp_path / "talk.stm"
    done = misread("convert", source, target, "--from", "srt", "--to", "stm", "--recording", "talk")
    assert (done.status, done.out) == (0, f"wrote {target}\n")
    assert "stm needs a speaker: where there is none, it is called unknown" in done.err
    assert target.read_text() == "talk 1 unknown 1 2 one two\ntalk 1 unknown 2 4 three four\n"
    done = misread("convert", source, target, "--from", "srt", "--to", "stn")
    assert (done.status, "unknown format to convert to 'stn'" in done.err) == (1, True)


def test_convert_guesses_a_format_or_lists_the_choices_in_one_line(misread, write, tmp_path):
    done = misread("convert", write("talk.srt", SRT), tmp_path / "t.trn", "--to", "trn")
    assert done.status == 0
    assert [line.partition(" (")[0] for line in (tmp_path / "t.trn").read_text().splitlines()] == [
        "one two",
        "three four",
    ]
    assert "talk.srt is read as srt, as its content says" in done.err
    done = misread("convert", write("a.txt", "one\n"), tmp_path / "b", "--to", "jsonl")
    (line,) = done.err.splitlines()
    assert done.status == 1
    assert (
        "a.txt may be of several formats; --from names a format: lines, nlp, stm, ctm, trn, kaldi, nemo, docvqa" in line
    )
    assert line.endswith(" table.")


@pytest.mark.parametrize(
    ("form", "content", "options"),
    [
        ("kaldi", "ann-1 the quick\n", ()),
        ("trn", "the quick (ann-1)\n", ()),
        ("seglst", '[{"session_id": "ann-1", "speaker": "ann", "words": "the quick"}]', ("--metrics", "cp_wer")),
    ],
)
def test_a_cluster_that_ids_do_not_have_is_refused_by_the_name_of_the_option(misread, tmp_path, form, content, options):
    for name in ("ref", "hyp"):
        (tmp_path / name).write_text(content)
    done = misread("score", "ref", "hyp", "--format", form, "--cluster", "^(q)", *options)
    assert "error: --cluster '^(q)' finds no cluster in 'ann-1'" in done.err
