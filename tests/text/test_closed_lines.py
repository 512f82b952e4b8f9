import pyarrow as pa

from misread.text.arrow import ArrowTexts
from misread.text.closed_lines import ClosedLines, close_lines


def test_each_text_has_a_line_feed_after_it():
    texts = ArrowTexts(pa.array(["one", "", "zwei Wörter"]), "references")
    closed = ClosedLines(texts)
    assert list(closed) == ["one\n", "\n", "zwei Wörter\n"]
    assert closed.texts is texts
    assert pa.array(closed, pa.string()).to_pylist() == list(closed)


def test_a_missing_text_stays_missing():
    assert close_lines(pa.array(["a", None])).to_pylist() == ["a\n", None]
