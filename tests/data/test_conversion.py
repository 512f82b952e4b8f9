import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.data import convert
from misread.data.conversion import guess_source_format
from misread.data.formats import FORMATS
from misread.data.formats.ctm import read_ctm, write_ctm
from misread.data.formats.stm import read_stm, write_stm
from misread.data.formats.tables import read_rows
from misread.data.formats.timed_text import TimedText
from misread.data.formats.trn import read_trn, write_trn
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.text.alternatives import Choice, Word
from misread.text.words import split_words

WORDS = st.text("ab{}@;\\()/<>é\"&'\u00a0\u2028=1", min_size=1, max_size=5) | st.sampled_from(
    ["@", "(a)", ";;", "<ALT>", "IGNORE_TIME_SEGMENT_IN_SCORING", "NA", "null", "007", "1e5"]
)
TEXTS = st.lists(WORDS, max_size=4).map(lambda words: " ".join(words).strip())
PLAIN = st.text("abc<;\\@", min_size=1, max_size=3).map(Word)
WAYS = st.lists(st.lists(PLAIN, max_size=2).map(tuple), min_size=2, max_size=3, unique=True)
ITEMS = st.lists(
    PLAIN
    | st.lists(st.lists(PLAIN, max_size=2).map(tuple), min_size=2, max_size=3, unique=True).map(tuple).map(Choice),
    min_size=1,
    max_size=4,
).map(tuple)


@st.composite
def segments(draw, texts=TEXTS, items=None):
    made, end = [], 0.0
    for number in range(draw(st.integers(1, 4))):
        begin = end + draw(st.integers(0, 3)) / 8
        end = begin + draw(st.integers(1, 9)) / 8
        of = {"text": draw(texts)} if items is None else {"text": "", "items": draw(items)}
        labels = draw(st.sampled_from([(), ("O", "F")])) if number == 0 else ()
        row = TimedText(
            location=f"s {number}", segment_id=f"s-{number}", document="rec", speaker="ann", channel="A", **of
        )
        made.append(row._replace(start=begin, end=end, labels=labels))
    return made


def words_of(segment):
    return " ".join(split_words(segment.text))


def written(folder, content, name="file"):
    path = folder / name
    path.write_text(content, encoding="utf-8", newline="")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("converted")


@pytest.mark.slow
@settings(max_examples=30)
@given(segments())
def test_texts_with_any_marks_come_back_from_every_format(folder, made):
    ids = [each.segment_id for each in made]
    trn = FORMATS["trn"].read(written(folder, write_trn(made, ids)))
    assert [(each.segment_id, each.text) for each in trn] == [(each.segment_id, words_of(each)) for each in made]
    stm = FORMATS["stm"].read(written(folder, write_stm(made, ids)))
    assert [(each.document, each.channel, each.speaker, each.start, each.end, each.text) for each in stm] == [
        ("rec", "A", "ann", each.start, each.end, words_of(each)) for each in made
    ]
    assert stm[0].labels == made[0].labels
    ctm = read_ctm(written(folder, write_ctm(made, ids))).get(("rec", "a"), [])
    assert [word.item.text for word in ctm] == [word for each in made for word in split_words(each.text)]


def items_of(text):
    """Parts of a text, which is read as a plain one where it has no marks."""
    return tuple(map(Word, split_words(text))) if isinstance(text, str) else text


@pytest.mark.slow
@settings(max_examples=30)
@given(segments(items=ITEMS))
def test_alternatives_come_back_from_the_formats_of_nist(folder, made):
    ids = [each.segment_id for each in made]
    expected = [each.items for each in made]
    assert [*map(items_of, read_trn(written(folder, write_trn(made, ids))).text)] == expected
    assert [*map(items_of, read_stm(written(folder, write_stm(made, ids)))[0].text)] == expected
    words = read_ctm(written(folder, write_ctm(made, ids)))["rec", "a"]
    assert tuple(word.item for word in words) == tuple(item for each in made for item in each.items)


@settings(max_examples=20)
@given(segments(texts=st.text(st.characters(exclude_categories=["Cs"]), max_size=6)))
def test_tables_give_everything_back(folder, made):
    source = folder / "source.jsonl"
    rows = [
        {"id": each.segment_id, "text": each.text, "recording": "rec", "channel": "A", "begin": each.start}
        | {"speaker": each.speaker, "end": each.end, "labels": list(each.labels) or None}
        for each in made
    ]
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert convert(source, folder / "written.jsonl", "table", "jsonl") == []
    back = read_rows(folder / "written.jsonl")
    for name in ("id", "text", "recording", "channel", "speaker", "begin", "end"):
        assert back.columns[name] == [row[name] for row in rows]
    assert list(back.columns.get("labels", [None] * len(rows))) == [row["labels"] for row in rows]


def test_what_is_lost_is_said(tmp_path):
    source = written(tmp_path, "f A ann 0 1 <O> { a / b } c\nf A bob 1 2 IGNORE_TIME_SEGMENT_IN_SCORING\n", "s.stm")
    notes = convert(source, tmp_path / "t.jsonl", "stm", "jsonl")
    assert notes == [
        "jsonl has no place for alternatives, found in 1 of 2 segments; the first of each is written.",
        "jsonl has no place for marks of segments to be ignored, found in 1 of 2 segments; those are left out.",
    ]
    row = {"id": "ann-000", "text": "a c", "recording": "f", "channel": "A", "speaker": "ann", "begin": 0.0, "end": 1.0}
    assert json.loads((tmp_path / "t.jsonl").read_text()) == row | {"labels": ["O"]}
    assert convert(source, tmp_path / "t.stm", "stm", "stm") == []
    assert read_stm(tmp_path / "t.stm")[0][1].ignored
    notes = convert(tmp_path / "t.jsonl", tmp_path / "t.trn", "table", "trn")
    assert [note.split(", found")[0] for note in notes] == [
        f"trn has no place for {what}" for what in ("recordings", "channels", "speakers", "times", "labels")
    ]


def test_missing_texts_and_line_breaks_are_named(tmp_path):
    rows = '{"id": "a", "text": null}\n{"id": "b", "text": "x\\ny"}\n{"id": "c", "text": "z"}\n'
    source = written(tmp_path, rows, "s.jsonl")
    assert convert(source, tmp_path / "t.jsonl", "table", "jsonl") == []
    assert convert(source, tmp_path / "t.trn", "table", "trn") == [
        "trn has one blank between words: other white space becomes a blank in 1 segment.",
        "trn cannot mark a missing text: 1 segment without one left out.",
    ]
    assert (tmp_path / "t.trn").read_text() == "x y (b)\nz (c)\n"


@pytest.mark.parametrize(
    ("row", "form", "message"),
    [
        ({"id": "a b", "text": "x"}, "trn", r"s\.jsonl, line 1: id is 'a b'; TRN has ids without blanks"),
        ({"id": "a", "text": "x"}, "stm", r"line 1: no recording, which STM needs; name it with recording"),
        ({"id": "a", "text": "x", "recording": "r"}, "ctm", "line 1: no times, which CTM needs"),
        ({"id": "a", "text": "x", "begin": "soon"}, "jsonl", "column 'begin' holds 'soon', expected seconds"),
        (
            {"id": "a", "text": "x", "begin": -1, "end": 1},
            "jsonl",
            "column 'begin' holds -1, expected seconds, 0 or more",
        ),
        ({"id": "a", "text": "x", "begin": 2, "end": 1}, "stm", "line 1: the segment ends at 1, before it begins at 2"),
    ],
)
def test_what_the_target_needs_and_the_source_has_not_is_named(tmp_path, row, form, message):
    source = written(tmp_path, json.dumps(row), "s.jsonl")
    with pytest.raises(InputFileError, match=message):
        convert(source, tmp_path / "t", "table", form)


def test_formats_and_files_are_checked(tmp_path):
    source = written(tmp_path, '{"text": "x"}', "s.jsonl")
    with pytest.raises(UnknownNameError, match="unknown format to convert to 'json'"):
        convert(source, tmp_path / "t", "table", "json")
    with pytest.raises(UnknownNameError, match="unknown format to convert from 'tabel'"):
        convert(source, tmp_path / "t", "tabel", "jsonl")
    with pytest.raises(ConfigurationError, match="would be written over an input"):
        convert(source, Path(source), "table", "jsonl")


def test_files_go_through_every_format_without_an_error(data_of_every_format, tmp_path):
    source = data_of_every_format / "sctk" / "lvc_ref.stm"
    convert(source, tmp_path / "t.stm", "stm", "stm")
    before, after = (read_stm(path)[0] for path in (source, tmp_path / "t.stm"))
    assert sorted(each._replace(location="") for each in after) == sorted(each._replace(location="") for each in before)
    convert(data_of_every_format / "speakers" / "ref.seglst.json", tmp_path / "speakers.stm", "seglst", "stm")
    turns = FORMATS["seglst"].read(data_of_every_format / "speakers" / "ref.seglst.json")
    assert sorted(words_of(each) for each in turns) == sorted(
        each.text for each in FORMATS["stm"].read(tmp_path / "speakers.stm")
    )


def test_a_file_of_which_nothing_is_left_is_refused(tmp_path):
    source = tmp_path / "a.stm"
    source.write_text("rec A x 0 1 <o> IGNORE_TIME_SEGMENT_IN_SCORING\n")
    with pytest.raises(InputFileError, match=r"a\.stm has no segment to convert: every segment lacks"):
        convert(source, tmp_path / "a.jsonl", "stm", "jsonl")


def test_segments_of_a_recording_are_written_in_the_order_of_their_times():
    segments = [TimedText(text, "", "", "rec", "spk", begin, begin + 1) for text, begin in (("b", 5.0), ("a", 1.0))]
    written = write_stm(segments, ["1", "2"])
    assert [line.split()[-1] for line in written.splitlines()] == ["a", "b"]


GUESSED = {
    "srt": ("s.srt", "1\n00:00:00,000 --> 00:00:01,000\none two\n"),
    "webvtt": ("s.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\none two\n"),
    "stm": ("s.stm", "f A ann 0 1 one two\n"),
    "ctm": ("s.ctm", "f A 0 1 one\nf A 1 1 two\n"),
    "trn": ("s", "one (ann-1)\ntwo (ann-2)\n"),
    "nemo": ("m.json", '{"audio_filepath": "a.wav", "text": "one two"}\n'),
    "seglst": ("s.json", '[{"session_id": "s", "words": "one two"}]\n'),
    "whisper": ("w.json", '{"text": "one", "segments": [{"start": 0, "end": 1, "text": "one two"}]}\n'),
    "table": ("t.csv", "id,text\na,one two\n"),
    "textgrid": ("s.TextGrid", 'File type = "ooTextFile"\n'),
    "kaldi": ("data/text", "a one two\n"),
}


@pytest.mark.parametrize("form", GUESSED)
def test_a_format_that_can_be_no_other_need_not_be_named(tmp_path, form):
    name, content = GUESSED[form]
    (tmp_path / "data").mkdir()
    path = written(tmp_path, content, name)
    assert guess_source_format(path.parent if form == "kaldi" else path) == form


def test_a_page_is_converted_whole_or_by_the_parts_that_its_level_names(tmp_path):
    words = [{"value": "one", "confidence": 0.9}, {"value": "two", "confidence": 0.9}]
    page = {"pages": [{"blocks": [{"lines": [{"words": words}, {"words": words[:1]}]}]}]}
    source, target = written(tmp_path, json.dumps(page), "p1.json"), tmp_path / "p1.jsonl"
    for form, expected in {
        guess_source_format(source): [("p1", "one two\none")],
        "ocr_json(level=line)": [("1", "one two"), ("2", "one")],
        "ocr_json(level=word)": [("1.1", "one"), ("1.2", "two"), ("2.1", "one")],
    }.items():
        assert convert(source, target, form, "jsonl") == []
        assert [tuple(json.loads(line).values()) for line in target.read_text().splitlines()] == expected


def test_a_large_file_is_guessed_from_its_beginning(tmp_path):
    path = written(tmp_path, "".join(f"f A ann {row} {row + 1} words\n" for row in range(20_000)), "s.stm")
    with path.open("ab") as file:
        file.write(b"\xff not read")
    assert guess_source_format(path) == "stm"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "s.txt",
            "one two\n",
            "s.txt may be of several formats; source_format names a format: lines, nlp, stm, ctm, trn, kaldi",
        ),
        ("s.xml", "<tei/>", "s.xml is XML, which has no segments to convert; take the text out of it first"),
    ],
)
def test_a_format_that_may_be_several_is_asked_for_with_the_choices(tmp_path, name, content, message):
    with pytest.raises(ConfigurationError, match=message) as error:
        guess_source_format(written(tmp_path, content, name))
    assert "\n" not in str(error.value)
    with pytest.raises(InputFileError, match=r"there is no file .*absent"):
        guess_source_format(tmp_path / "absent")
    with pytest.raises(InputFileError, match=r"is a folder, but not one of Kaldi \(with a file text\); name a file"):
        guess_source_format(tmp_path)
