import re
import subprocess

import numpy as np
import pytest

from misread.alignment import align_alternatives
from misread.data import SegmentFiles
from misread.data.formats.ctm import read_timed_files
from misread.errors import InputFileError
from misread.text.arrow import ArrowTexts

FILES = 150


@pytest.fixture
def root(tmp_path):
    (tmp_path / "ref.trn").write_text("a { b / c } (x_1)\nd (y_1)\n")
    (tmp_path / "out.trn").write_text("d (Y_1)\n")
    for folder, text in (("ref", "token|tags\n2020|['0:YEAR']\n"), ("out", "token\nhm\n"), ("norm", "")):
        (tmp_path / folder).mkdir()
        if text:
            (tmp_path / folder / "call.nlp").write_text(text)
    (tmp_path / "norm" / "call.norm.json").write_text(
        '{"0": {"candidates": [{"verbalization": ["twenty", "twenty"]}]}}'
    )
    return tmp_path


def test_utterances_have_speakers_outputs_and_alternatives(root):
    data = SegmentFiles(str(root), "ref.trn", {"ours": "out.trn"}, "trn", cluster="^(.)")
    segments = data.segments()
    assert (segments.segment_id, segments.references) == (["x_1", "y_1"], ["a { b / c }", "d"])
    assert (segments.cluster, segments.cluster_name, segments.facts.alternatives) == (
        ["x", "y"],
        "speaker",
        "references",
    )
    assert [source.recorded for source in segments.sources()] == [{"ours": None}, {"ours": "d"}]
    assert data.offers == {"recorded:ours"}


@pytest.mark.parametrize("optional_words", [False, True])
def test_words_in_parentheses_may_be_left_out_where_the_data_set_says_so(tmp_path, optional_words):
    (tmp_path / "ref.trn").write_text("a (b) (x_1)\n")
    (tmp_path / "out.trn").write_text("a (x_1)\n")
    segments = SegmentFiles(
        str(tmp_path), "ref.trn", {"ours": "out.trn"}, f"trn(optional_words={str(optional_words).lower()})"
    ).segments()
    assert (segments.references, bool(segments.facts.alternatives)) == (["a (b)"], optional_words)
    (note,) = segments.facts.notes
    assert ("may be left out" if optional_words else "is compared as written") in note


def test_outputs_that_read_in_several_ways_are_refused_and_not_counted_with_their_marks(root):
    (root / "out.trn").write_text("{ c / d } (y_1)\n")
    (root / "plain.trn").write_text("d (y_1)\n")
    with pytest.raises(InputFileError, match="'ours' have alternatives"):
        SegmentFiles(str(root), "ref.trn", {"plain": "plain.trn", "ours": "out.trn"}, "trn").segments()


@pytest.mark.parametrize(("alternatives", "reference"), [("norm", "{ 2020 / twenty twenty }"), ("", "2020")])
def test_calls_have_alternatives_where_there_is_a_folder_of_them(root, alternatives, reference):
    form = f"nlp(alternatives={alternatives})" if alternatives else "nlp"
    calls = SegmentFiles(str(root), "ref", {"ours": "out"}, form).segments()
    assert (calls.segment_id, calls.references, calls.hypotheses) == (["call"], [reference], {"ours": ["hm"]})
    assert calls.facts.alternatives == ("references" if alternatives else "")


def test_segments_have_the_times_of_the_stm_file(tmp_path):
    (tmp_path / "r.stm").write_text("talk A anna 0.5 1.5 one\ntalk A anna 1.5 2.5 IGNORE_TIME_SEGMENT_IN_SCORING\n")
    (tmp_path / "h.ctm").write_text("talk A 0.6 0.1 one\n")
    segments = read_timed_files(tmp_path / "r.stm", {"ours": tmp_path / "h.ctm"})
    assert (segments.times, segments.segment_id) == ([(0.5, 1.5)], ["anna-000"])


@pytest.mark.parametrize(("mark", "kind"), [("", ArrowTexts), (";tag", list)])
def test_texts_of_channels_that_take_turns_stay_with_their_segments(tmp_path, mark, kind):
    turns = [(channel, 2 * number) for number in range(3) for channel in "BA"]
    lines = [f"talk {channel} {channel}{begin} {begin} {begin + 2} x" for channel, begin in turns]
    words = [f"talk {channel} {begin}.5 1 {channel}{begin}{mark}" for channel, begin in sorted(turns)]
    (tmp_path / "r.stm").write_text("\n".join(lines))
    (tmp_path / "h.ctm").write_text("\n".join(words))
    table = read_timed_files(tmp_path / "r.stm", {"ours": tmp_path / "h.ctm"})
    assert isinstance(table.hypotheses["ours"], kind)
    assert list(table.hypotheses["ours"]) == [f"{channel}{begin}" for channel, begin in turns]
    assert table.times == [(begin, begin + 2) for _, begin in turns]


def test_a_channel_without_words_is_missing(tmp_path):
    (tmp_path / "r.stm").write_text("talk A ann 0 1 a\ntalk B bob 0 1 b\n")
    (tmp_path / "h.ctm").write_text("talk B 0 1 b\n")
    assert read_timed_files(tmp_path / "r.stm", {"ours": tmp_path / "h.ctm"}).hypotheses["ours"] == [None, "b"]


# STM and CTM files, cut and counted, against NIST's sclite itself


def random_text(rng, depth=0):
    words = []
    for _ in range(rng.integers(depth > 0, 5)):
        word, die = str(rng.choice(list("abcd"))), rng.random()
        if die < 0.15 and depth < 2:
            ways = [random_text(rng, depth + 1) for _ in range(rng.integers(2, 4))]
            words.append("{" + str(rng.choice([" / ", "/"])).join(ways) + "}")
        else:
            words.append(f"({word})" if die < 0.3 else f"{word};tag" if die < 0.4 else "@" if die < 0.5 else word)
    return " ".join(words)


def random_segments(rng, file):
    """Lines of one file, in order of time: gaps, overlaps, some that hold no time and some to be ignored."""
    times, end = [], 0.0
    for _ in range(rng.integers(1, 6)):
        begin = max(0.0, end + rng.choice([0, 0, 0.5, -0.5, 1]))
        end = begin + rng.choice([0, 1, 2, 3.5])
        times.append((begin, end))
    ignored = ["IGNORETIMESEGMENTINSCORING", "IGNORE_TIME_SEGMENT_IN_SCORING"]
    texts = [str(rng.choice(ignored)) if rng.random() < 0.2 else random_text(rng) for _ in times]
    spoken = zip(sorted(times), texts, strict=True)
    return [f"{file} A {file}-{row} {begin:.2f} {end:.2f} {text}" for row, ((begin, end), text) in enumerate(spoken)]


def random_words(rng, file):
    lines, begin = [], 0.0
    for _ in range(rng.integers(13)):
        begin += rng.choice([0, 0.3, 0.5, 0.7])
        word = str(rng.choice(list("abcd")))
        if rng.random() < 0.1:
            lines += [f"{file} A * * <ALT_BEGIN>", f"{file} A {begin:.2f} 0.2 {word}", f"{file} A * * <ALT>"]
            lines += [f"{file} A {begin:.2f} 0.2 a", f"{file} A {begin:.2f} 0.2 b", f"{file} A * * <ALT_END>"]
        else:
            written = rng.choice([word, word, word, f"({word})", f"{word};t", "@"])
            lines.append(f"{file} A {begin:.2f} {rng.choice([0, 0.1, 0.4])} {written} 0.9")
    return lines


def test_a_middle_on_the_end_of_a_segment_falls_as_in_sclite(sctk, tmp_path):
    rng = np.random.default_rng(6)
    segments, words = [], []
    for number, half in enumerate(rng.integers(1, 60, size=600).tolist()):
        end = int(rng.integers(60, 200_000 if number % 2 else 2_000))
        segments += [f"f{number:03} A s 0.00 {end / 100:.2f} a", f"f{number:03} A s {end / 100:.2f} 9999.00 a"]
        words.append(f"f{number:03} A {(end - half) / 100:.2f} {half / 50:.2f} a")
    for name, lines in (("r.stm", segments), ("h.ctm", words)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    command = [sctk("sclite"), "-r", "r.stm", "stm", "-h", "h.ctm", "ctm", "-o", "pra", "stdout"]
    report = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    theirs = [hits == "1" for hits in re.findall(r"^Scores: \(#C #S #D #I\) (\d+)", report, re.MULTILINE)]
    heard = read_timed_files(tmp_path / "r.stm", {"ours": tmp_path / "h.ctm"}).hypotheses["ours"]
    assert [text == "a" for text in heard] == theirs
    assert 100 < sum(theirs[::2]) < 500


def test_random_files_are_cut_and_counted_as_sclite_does(sctk, tmp_path):
    rng = np.random.default_rng(150)
    files = [f"f{number:03}" for number in range(FILES)]
    for name, write in (("r.stm", random_segments), ("h.ctm", random_words)):
        (tmp_path / name).write_text("".join(f"{line}\n" for file in files for line in write(rng, file)))
    command = [sctk("sclite"), "-r", "r.stm", "stm", "-h", "h.ctm", "ctm", "-s", "-D", "-o", "pra", "stdout"]
    report = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    theirs = re.findall(r"^id: \((\S+)\)$.*?^Scores: \(#C #S #D #I\) ([\d ]+)$", report, re.MULTILINE | re.DOTALL)
    capture = read_timed_files(tmp_path / "r.stm", {"ours": tmp_path / "h.ctm"}, optional_words=True).captures()["ours"]
    assert capture.origin.facts.alternatives == "both"
    heard = [text or "" for text in capture.texts.hypotheses]
    counts = align_alternatives(capture.texts.references, heard, alignment="sclite", alternatives="both").counts
    ours = zip(counts.hits, counts.substitutions, counts.deletions, counts.insertions, strict=True)
    found = {key: list(of) for key, of in zip(capture.segments.segment_id, ours, strict=True)}
    assert len(found) > 2 * FILES
    assert found == {key: [int(count) for count in of.split()] for key, of in theirs}
