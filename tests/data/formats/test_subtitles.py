import pytest

from misread.data.formats.account import collecting_accounts
from misread.data.formats.subtitles import read_srt, read_webvtt
from misread.errors import InputFileError

# W3C, WebVTT, sections 1.2 to 1.6; SRT as SubRip writes it

WEBVTT = """WEBVTT Kind: captions

NOTE a remark --
of two lines

STYLE
::cue { color: red }

intro
00:01.000 --> 00:04.000 align:start
<v Roger Bingham>We are in <i>New York</i> City
&amp; beyond

01:00:05.5 --> 01:00:09.000
- <c.loud>It will</c> perforate<00:06.000> your stomach.
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_webvtt_has_cues_without_marks(write_text, end, summary):
    found = read_webvtt(write_text(WEBVTT.replace("\n", end)))
    assert summary(found) == [
        ("We are in New York City\n& beyond", "Roger Bingham", 1.0, 4.0),
        ("- It will perforate your stomach.", "", 3605.5, 3609.0),
    ]


def test_srt_has_subtitles_without_style(write_text, summary):
    first = "1\n00:00:01,600 --> 00:00:04,200\n<i>English</i> subtitles {\\an8}\na < b\n\n"
    text = f"{first}2\n00:00:05,900 --> 00:00:07,999\n"
    expected = [("English subtitles \na < b", "", 1.6, 4.2), ("", "", 5.9, 7.999)]
    assert summary(read_srt(write_text(text))) == expected
    assert summary(read_srt(write_text(text, encoding="utf-16"))) == expected
    assert read_srt(write_text(text.replace("\n\n2", "").replace("< b", "< b\n1984")))[0].text.endswith("< b\n1984")
    assert summary(read_srt(write_text("\ufeff" + text.replace("\n", "\r\n")))) == expected


def test_marks_of_html_and_webvtt_that_converters_leave_in_srt_are_no_text(write_text):
    text = '<span class="a">a &amp; b</span> <c.yellow>c</c>&nbsp;<v Ann>d</v> 1 &lt; 2 <laugh> AT&T &copy'
    (cue,) = read_srt(write_text(f"1\n00:00:01,600 --> 00:00:04,200\n{text}\n"))
    assert cue.text == "a & b c\u00a0d 1 < 2 <laugh> AT&T &copy"


def test_lines_that_only_look_empty_are_no_lost_text(write_text):
    # As Netflix writes them.
    path = write_text("WEBVTT\n\n   \n\n  \n1\n00:01.000 --> 00:02.000\none\n")
    assert [cue.text for cue in read_webvtt(path)] == ["one"]


@pytest.mark.parametrize(
    "text", ["<ruby><rt>one</rt></ruby>", "one <rt>two</rt>", "<ruby>one</ruby> <rt>two", "<ruby> <rt>one</ruby>"]
)
def test_what_is_no_annotation_of_a_text_is_a_text(write_text, text):
    (cue,) = read_webvtt(write_text(f"WEBVTT\n\n00:01.000 --> 00:04.000\n{text}\n"))
    assert cue.text.split() == [word for word in ("one", "two") if word in text]


@pytest.mark.parametrize("end", ["</rt>", ""])
def test_annotations_of_ruby_are_named_and_no_text(write_text, end):
    path = write_text(f"WEBVTT\n\n00:01.000 --> 00:04.000\n<v A><ruby>kan<rt>KAN{end}ji<rt.a>JI{end}</ruby>!\n")
    with collecting_accounts() as accounts:
        assert [cue.text for cue in read_webvtt(path)] == ["kan!" if not end else "kanji!"]
    assert accounts["WebVTT"].left_out["annotations of ruby"].number == 2


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_webvtt, "00:01.000 --> 00:04.000\na\n", "line 1: expected WEBVTT"),
        (read_webvtt, "WEBVTT\n\n00:01.000 --> 4.000\n", "line 3: '00:01.000 --> 4.000', expected times"),
        (read_webvtt, "WEBVTT\n\nlost\ntext\n\n00:01.000 --> 00:04.000\n", "line 3: 'lost', expected times"),
        (read_webvtt, "WEBVTT\n\n00:01.000 --> 00:04.000 lost\n", "line 3: .* lost', expected times"),
        (read_srt, "lost\n\n1\n00:00:01,600 --> 00:00:04,200\na\n", "line 1: 'lost', expected times"),
        (read_srt, f"{'word ' * 99}\nb\n", r"line 1: '(word ){11}\.\.\.', expected times"),
        (read_srt, "1\n00:00:01,600 -> 00:00:04,200\na\n", "line 2: '00:00:01,600 -> 00:00:04,200', expected"),
        (read_srt, "1\n00:01,600 --> 00:04,200\na\n\n00:05,600 => 00:06,200\n", "line 5: '00:05,600 => 00:06"),
        (read_srt, "1\n00:00:01,600 --> 4,2\na\n", "line 2: '00:00:01,600 --> 4,2', expected times"),
        (read_srt, "1\n00:00:09,000 --> 00:00:04,200\na\n", "line 2: the segment ends at 4.2, before it begins at 9"),
    ],
)
def test_broken_subtitles_name_the_line(write_text, read, text, message):
    with pytest.raises(InputFileError, match=message):
        read(write_text(text))


def test_times_of_thousands_of_digits_are_refused(tmp_path):
    path = tmp_path / "a.srt"
    path.write_text("1\n{0}:00:01,000 --> {0}:00:02,000\na\n".format("9" * 5000))
    with pytest.raises(InputFileError, match=r"a\.srt"):
        read_srt(path)
