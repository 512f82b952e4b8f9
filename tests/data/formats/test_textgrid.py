import pytest

from misread.data.formats.textgrid import read_textgrid
from misread.errors import InputFileError

# Praat manual, "TextGrid file formats": the same in the long and the short form

LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 2.3
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "Mary"
        xmin = 0
        xmax = 2.3
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 1.5
            text = "say ""x2"" twice"
        intervals [2]:
            xmin = 1.5
            xmax = 2.3
            text = ""
    item [2]:
        class = "TextTier"
        name = "bell"
        xmin = 0
        xmax = 2.3
        points: size = 1
        points [1]:
            number = 1
            mark = "ding"
    item [3]:
        class = "IntervalTier"
        name = "John"
        xmin = 0
        xmax = 2.3
        intervals: size = 1
        intervals [1]:
            xmin = 0.25
            xmax = 2.3
            text = "two
lines"
"""
SHORT = """File type = "ooTextFile"
Object class = "TextGrid"

0
2.3
<exists>
3
"IntervalTier"
"Mary"
0
2.3
2
0
1.5
"say ""x2"" twice"
1.5
2.3
""
"TextTier" "bell" 0 2.3 1 1 "ding" ! a remark
"IntervalTier" "John" 0 2.3 1 0.25 2.3 "two
lines"
"""


@pytest.mark.parametrize("text", [LONG, SHORT])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_textgrid_has_intervals_with_a_text_by_tier(write_text, text, encoding, summary):
    found = read_textgrid(write_text(text, encoding=encoding))
    assert summary(found) == [('say "x2" twice', "Mary", 0.0, 1.5), ("two\nlines", "John", 0.25, 2.3)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"TextGrid"', '"Pitch"'), 'expected "ooTextFile" and "TextGrid"'),
        (lambda text: text.replace("xmin = 0.25", 'xmin = "x"'), "line 39: '\"x\"', expected a number, the begin"),
        (lambda text: text.replace("xmin = 0.25", "xmin = -1"), "line 40: times are -1 and 2.3"),
        (lambda text: text.replace('"TextTier"', '"NoTier"'), "line 24: class of the tier is 'NoTier'"),
        (lambda text: text[: text.index("xmax = 1.5")], "line 17: the file ends where the end is expected"),
        (
            lambda text: text[: text.index('x2""') + 2],
            "line 18: a text in quotes that never ends; the file is cut short",
        ),
        (lambda text: text[: text.index("two\nlines") + 6], "line 41: a text in quotes that never ends"),
    ],
)
def test_broken_textgrid_names_the_line(write_text, change, message):
    with pytest.raises(InputFileError, match=message):
        read_textgrid(write_text(change(LONG)))


@pytest.mark.parametrize("number", ["1e400", "2.5", "-1"])
def test_a_count_of_textgrid_that_is_no_whole_number_is_refused(tmp_path, number):
    path = tmp_path / "a.TextGrid"
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 1\ntiers? <exists>\n'
    path.write_text(f"{head}size = {number}\n")
    with pytest.raises(InputFileError, match=r"a\.TextGrid, line 7"):
        read_textgrid(path)
