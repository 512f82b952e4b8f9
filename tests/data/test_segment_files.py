import json

import pytest

from misread.data import SegmentFiles, convert, read_segment_files
from misread.data.formats import FORMATS
from misread.data.formats.ctm import read_timed_files
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.text.arrow import ArrowTexts

SRT = "1\n00:00:01,000 --> 00:00:02,000\none two\n\n2\n00:00:02,000 --> 00:00:04,000\nthree four\n"
MOVED = "1\n00:00:01,000 --> 00:00:03,000\none two three\n\n2\n00:00:03,000 --> 00:00:04,000\nfour\n"
WHISPER = {"segments": [{"start": 1, "end": 2, "text": " one"}, {"start": 2.0, "end": 4.0, "text": " three for"}]}


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


def test_formats_of_recordings_meet_each_other_by_their_times(write):
    table = read_segment_files(write("r.srt", SRT), {"w": write("w.json", WHISPER)}, "srt", "whisper")
    assert (table.segment_id, table.references) == (["1", "2"], ["one two", "three four"])
    assert (table.hypotheses["w"], table.times) == (["one", "three for"], [(1.0, 2.0), (2.0, 4.0)])
    assert (table.cluster, table.facts.resegmented, table.name) == (None, False, "r")


def test_segments_that_begin_together_are_told_by_their_ends(write):
    def told(*rows):
        return {"segments": [{"start": 1, "end": end, "text": text} for end, text in rows]}

    files = write("r.json", told((4, "long"), (2, "short"))), {"h": write("h.json", told((2, "shirt"), (4, "lung")))}
    assert read_segment_files(*files, "whisper", "whisper").hypotheses["h"] == ["lung", "shirt"]


def test_segments_at_other_times_are_refused_or_cut_again(write):
    files = write("r.srt", SRT), {"h": write("h.srt", MOVED)}
    with pytest.raises(
        InputFileError, match=r"h\.srt, line 2: segments have other times than in r\.srt .*resegment=True"
    ) as caught:
        read_segment_files(*files, "srt", "srt")
    assert caught.value.settings == ("resegment",)
    table = read_segment_files(*files, "srt", "srt", cut_again=True)
    assert (table.hypotheses["h"], table.facts.resegmented) == (["one two", "three four"], True)
    assert table.captures()["h"].origin.facts.resegmented


def test_lines_and_utterances_are_cut_again_too(write):
    references, hypotheses = write("r.txt", "a b\nc d\n"), {"h": write("h.txt", "a\nb c\nd\n")}
    assert read_segment_files(references, hypotheses, "lines", "lines", cut_again=True).hypotheses["h"] == [
        "a b",
        "c d",
    ]
    references = write("r.trn", "a b (x-1)\nc d (x-2)\n")
    table = read_segment_files(references, hypotheses, "trn", "lines", cut_again=True)
    assert (table.segment_id, table.hypotheses["h"]) == (["x-1", "x-2"], ["a b", "c d"])


def test_stm_meets_stm_and_recordings_are_cut_again(write, data_of_every_format):
    folder = data_of_every_format / "speakers"
    table = read_segment_files(folder / "ref.seglst.json", {"h": folder / "hyp.stm"}, "seglst", "stm", cut_again=True)
    assert len(table) == len(table.hypotheses["h"]) == 6
    assert set(table.cluster) == {"Alice", "Bob"}
    assert list(table.groups) == ["file", "speaker"]
    lines = "f 1 ann 0 1 a\nf 1 ann 1 2 b\n"
    table = read_segment_files(write("r.stm", lines), {"h": write("h.stm", lines.replace("b", "x"))}, "stm", "stm")
    assert table.hypotheses["h"] == ["a", "x"]


def test_a_recording_without_a_hypothesis_is_missing_and_one_without_reference_is_named(write):
    references = write("r.stm", "f 1 ann 0 1 a\ng 1 ann 0 1 b\n")
    for cut_again in (False, True):
        table = read_segment_files(
            references, {"h": write("h.stm", "g 1 ann 0 1 b\n")}, "stm", "stm", cut_again=cut_again
        )
        assert table.hypotheses["h"] == [None, "b"]
        with pytest.raises(InputFileError, match=r"x\.stm, line 1: .*r\.stm has no recording 'k'"):
            read_segment_files(references, {"h": write("x.stm", "k 1 a 0 1 b\n")}, "stm", "stm", cut_again=cut_again)
    with pytest.raises(InputFileError, match="does not say which recording it belongs to"):
        read_segment_files(references, {"h": write("h.srt", SRT)}, "stm", "srt", cut_again=True)


def test_named_segments_are_paired_by_id_in_any_order(write):
    references = write("r/text", "a-1 one\na-2 two\nb-1 three\n")
    write("r/utt2spk", "a-1 ann\na-2 ann\nb-1 bob\n")
    table = read_segment_files(references, {"h": write("h", "b-1 tree\na-1\n")}, "kaldi", "kaldi")
    assert (table.name, table.hypotheses["h"]) == ("r", ["", None, "tree"])
    assert (table.cluster, table.cluster_name) == (["ann", "ann", "bob"], "speaker")
    with pytest.raises(InputFileError, match=r"x, line 1: .*text has no segment 'c' to compare with"):
        read_segment_files(references, {"h": write("x", "c three\n")}, "kaldi", "kaldi")


def test_texts_of_kaldi_stay_columns_without_a_string_for_each(write):
    content = "".join(f"u{row} a b\n" for row in range(9))
    table = read_segment_files(write("r", content), {"h": write("h", content)}, "kaldi", "kaldi")
    assert {*map(type, (table.segment_id, table.references, table.hypotheses["h"]))} == {ArrowTexts}


def test_an_id_that_differs_by_case_is_another_and_the_one_like_it_is_named(write):
    references = write("r", "a-1 one\nA-1 two\n")
    table = read_segment_files(references, {"h": write("h", "A-1 too\na-1 won\n")}, "kaldi", "kaldi")
    assert table.hypotheses["h"] == ["won", "too"]
    message = r"x, line 1: .* has no segment 'B' to compare with; it has 'b', and ids that differ by case are different"
    with pytest.raises(InputFileError, match=message):
        read_segment_files(write("r", "b one\n"), {"h": write("x", "B one\n")}, "kaldi", "kaldi")


@pytest.mark.parametrize(("form", "line"), [("kaldi", "{} one\n"), ("trn", "one ({})\n")])
def test_an_id_in_another_normal_form_is_said_to_be_one(write, form, line):
    files = write("r", line.format("\u00e91")), {"h": write("h", line.format("e\u03011"))}
    with pytest.raises(InputFileError, match=r"in another Unicode normal form \('\\xe91' there, 'e\\u03011' here\)"):
        read_segment_files(*files, form, form)


def test_one_manifest_has_both_sides(write):
    line = {"audio_filepath": "a.wav", "duration": 1, "text": "NA", "pred_text": "null"}
    path = write("m.json", json.dumps(line))
    table = read_segment_files(path, {"nemo": path}, "nemo", "nemo")
    assert (table.segment_id, table.references, table.hypotheses["nemo"]) == (["a.wav"], ["NA"], ["null"])


@pytest.mark.parametrize("cut_again", [False, True])
def test_a_recording_without_pred_text_is_missing_cut_again_or_not(write, cut_again):
    lines = [{"audio_filepath": name, "text": text} for name, text in (("a.wav", "one two"), ("b.wav", "three"))]
    references = write("r", "\n".join(map(json.dumps, lines)))
    system = write("h", "\n".join(map(json.dumps, [{**lines[0], "pred_text": "won two"}, lines[1]])))
    table = read_segment_files(references, {"h": system}, "nemo", "nemo", cut_again=cut_again)
    assert table.hypotheses["h"] == ["won two", None]


def test_alternatives_are_for_the_formats_that_have_them(write):
    with pytest.raises(InputFileError, match=r"r\.stm, line 1: the text has alternatives; only .*format='trn' take"):
        read_segment_files(write("r.stm", "f 1 a 0 1 { b / c }\n"), {"h": write("h.srt", SRT)}, "stm", "srt")


def test_formats_that_share_nothing_need_to_be_cut_again(write):
    with pytest.raises(ConfigurationError, match="no way to pair files of srt with references of kaldi"):
        read_segment_files(write("r", "a b\n"), {"h": write("h.srt", SRT)}, "kaldi", "srt")
    with pytest.raises(InputFileError, match="has no segment"):
        read_segment_files(write("r", "\n"), {"h": write("h", "")}, "kaldi", "kaldi")


def test_a_data_set_reads_its_files_and_names_a_wrong_format(write, tmp_path):
    write("r.srt", SRT)
    write("h.json", WHISPER)
    of = SegmentFiles(str(tmp_path), "r.srt", {"w": "h.json"}, "srt", hypothesis_format="whisper", resegment=True)
    assert of.offers == {"recorded:w"}
    assert of.segments().hypotheses["w"] == ["one", "three for"]
    with pytest.raises(UnknownNameError, match=r"unknown format 'vtt'.*Did you mean"):
        SegmentFiles(str(tmp_path), "r.srt", {}, "vtt")
    with pytest.raises(ConfigurationError, match="resegment=True aligns"):
        SegmentFiles(str(tmp_path), "r.srt", {}, "srt", hypothesis_format="kaldi")


def test_a_segment_of_stm_has_one_id_in_every_pair_of_formats_and_when_it_is_converted(write, tmp_path):
    reference = write("r.stm", "f A ann 0 1 a\nf A bob 1 2 b\nf A ann 2 3 c\ng A ann 0 1 d\n")
    ids = ["ann-000", "bob-000", "ann-001", "ann-002"]
    assert read_segment_files(reference, {}, "stm", "stm").segment_id == ids
    assert read_timed_files(reference, {"h": write("h.ctm", "f A 0 1 a\ng A 0 1 d\n")}).segment_id == ids
    convert(reference, tmp_path / "r.trn", "stm", "trn")
    assert [row.segment_id for row in FORMATS["trn"].read(tmp_path / "r.trn")] == ids


@pytest.mark.parametrize(
    ("form", "settings", "message"),
    [
        ("kaldi(optional_words=true)", {}, "unknown setting 'optional_words' in .*: kaldi. There are none"),
        ("trn(alternatives=norm)", {}, "unknown setting 'alternatives' in .*: trn. There are: optional_words"),
        ("trn(optional_words=yes)", {}, r"trn\.optional_words is \"yes\", expected true or false"),
        ("mine=trn", {}, "a format has no id"),
        ("trn", {"hypothesis_format": "trn(optional_words=true)"}, "both sides of one format have the same settings"),
        ("trn(optional_words=true)", {"resegment": True}, "leave out the settings of trn"),
        ("nlp(alternatives=a,entities=b)", {}, "do not go together"),
        ("nlp", {"cluster": "(.)"}, r"cluster is a setting of .*trn, kaldi.*, and not of nlp"),
        ("lines", {"cluster": "(.)"}, "and not of lines"),
        ("srt", {"sessions": True}, r"who speaks .* \(stm, seglst, webvtt, textgrid\), and srt does not"),
    ],
)
def test_a_setting_of_another_format_is_refused(form, settings, message):
    with pytest.raises((ConfigurationError, UnknownNameError), match=message):
        SegmentFiles("data", "r", {"a": "h"}, form, **settings)


def test_a_study_reads_stm_with_ctm(write, tmp_path):
    write("r.stm", "f A ann 0 1 a (b)\nf A bob 1 2 c\n")
    write("h.ctm", "f A 0.1 0.2 a\nf A 1.1 0.2 c\n")
    files = (str(tmp_path), "r.stm", {"a": "h.ctm"}, "stm")
    table = SegmentFiles(*files, "ctm(optional_words=true)").segments()
    assert (table.hypotheses, table.facts.alternatives) == ({"a": ["a", "c"]}, "references")
    assert SegmentFiles(*files, "ctm").segments().facts.alternatives == ""


def test_a_folder_of_files_is_read_whole_and_each_is_a_recording(tmp_path):
    cue = "1\n00:00:01,000 --> 00:00:02,000\n{}\n"
    for name in ("ref/a/talk.srt", "ref/b.srt", "hyp/a/talk.srt", "hyp/b.srt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(cue.format(name))
    (tmp_path / "hyp/b.txt").write_text("one\n")
    table = read_segment_files(tmp_path / "ref", {"a": tmp_path / "hyp"}, "srt")
    assert (table.segment_id, table.cluster) == (["a/talk-000", "b-000"], ["a/talk", "b"])
    assert (table.references, table.hypotheses) == (
        ["ref/a/talk.srt", "ref/b.srt"],
        {"a": ["hyp/a/talk.srt", "hyp/b.srt"]},
    )
    (doubt,) = table.facts.doubts
    assert "SRT: files of other formats are not read: 1" in doubt.sentence
    (tmp_path / "hyp/b.srt").unlink()
    assert read_segment_files(tmp_path / "ref", {"a": tmp_path / "hyp"}, "srt").hypotheses["a"][1] is None
    with pytest.raises(InputFileError, match="ref is a folder without a file of the format webvtt"):
        read_segment_files(tmp_path / "ref", {"a": tmp_path / "hyp"}, "webvtt")


def test_a_folder_of_trn_is_paired_by_all_ids(tmp_path):
    for name, text in {"ref/a": "one (u-1)\n", "ref/b": "two (u-2)\n", "hyp/all": "two (u-2)\none (u-1)\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.trn").write_text(text)
    table = read_segment_files(tmp_path / "ref", {"a": tmp_path / "hyp"}, "trn")
    assert (table.references, table.hypotheses) == (["one", "two"], {"a": ["one", "two"]})
