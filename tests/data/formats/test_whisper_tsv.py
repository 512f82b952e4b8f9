import pytest

from misread.data.formats.content import Content
from misread.data.formats.whisper_tsv import is_whisper_tsv, read_whisper_tsv
from misread.errors import InputFileError

ROWS = "0\t1500\tSo.\n1500\t3000\tAnd \t on\n"


@pytest.mark.parametrize(
    "content", [f"start\tend\ttext\n{ROWS}", ROWS.replace("\n", "\n\n"), ROWS.replace("\n", "\r\n")]
)
def test_rows_have_milliseconds_with_and_without_a_header(write_text, summary, content):
    assert summary(read_whisper_tsv(write_text(content))) == [("So.", "", 0.0, 1.5), ("And \t on", "", 1.5, 3.0)]
    assert is_whisper_tsv(Content(content))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "start\tend\ttext\n",
        "0\t1500\tSo.\n",
        "2\t1\tone\n3\t2\ttwo\n",
        "3\t4\ta\n1\t2\tb\n",
        "id\ttext\n1\ta\n2\tb\n",
    ],
)
def test_other_rows_are_not_recognised(content):
    assert not is_whisper_tsv(Content(content))


def test_another_row_is_refused_with_its_line(write_text):
    with pytest.raises(InputFileError, match="line 2: expected start and end in milliseconds"):
        read_whisper_tsv(write_text("0\t1500\tSo.\none\n"))
    with pytest.raises(InputFileError, match="line 1: the segment ends at 1, before"):
        read_whisper_tsv(write_text("2000\t1000\tSo.\n"))
