import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data import FolderOptions, read_files
from misread.data.folders import read_folders
from misread.data.segment_table import SegmentKeys, TextPairs
from misread.errors import InputFileError, LengthMismatchError
from misread.io.text import split_lines


@pytest.fixture
def file(tmp_path):
    """Write bytes or text under a name, give the path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_lines_meet_line_by_line_for_every_system_and_have_their_numbers_as_ids(file):
    systems = {"a": file("a.txt", "onc\r\n\r\ntwo\r\n"), "b": file("b.txt", "\ntwo\n\n")}
    captures = read_files(file("ref.txt", "one\n\nthree"), systems).captures()
    assert {name: capture.texts for name, capture in captures.items()} == {
        "a": TextPairs(["one", "", "three"], ["onc", "", "two"]),
        "b": TextPairs(["one", "", "three"], ["", "two", ""]),
    }
    assert captures["a"].segments == SegmentKeys(["1", "2", "3"], None, {})


@given(st.text("ab\n\r\x0b\u2028", min_size=1, max_size=9).filter(str.strip))
def test_only_line_feeds_alone_or_after_a_carriage_return_end_lines(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("lines") / "ref.txt"
    path.write_bytes(text.encode())
    table = read_files(path, {"a": path}, verbatim=True)
    assert [*table.references] == [*table.hypotheses["a"]] == split_lines(text)


@pytest.mark.parametrize("read", [read_files, read_folders])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_belongs_to_the_file_and_not_to_its_text(file, read, encoding):
    hypothesis = file("a.txt", "onc é\n".encode(encoding))
    captures = read(file("ref.txt", "one\n"), {"a": hypothesis}).captures()
    assert captures["a"].texts == TextPairs(["one"], ["onc é"])


def test_line_ends_of_another_system_make_no_difference_in_whole_texts(file, tmp_path):
    reference, hypothesis = file("ref.txt", "one\n\ntwo"), file("a.txt", "one\r\n\r\ntwo\r\n")
    assert read_folders(reference, {"a": hypothesis}).captures()["a"].texts == TextPairs(["one\n\ntwo"], ["one\n\ntwo"])
    for name, content in (("ref", b"one\ntwo\n"), ("hyp", b"one\r\ntwo\r\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p1.txt").write_bytes(content)
    assert read_folders(tmp_path / "ref", {"a": tmp_path / "hyp"}).captures()["a"].texts == TextPairs(
        ["one\ntwo"], ["one\ntwo"]
    )


@pytest.mark.parametrize("read", [read_files, read_folders])
def test_a_carriage_return_that_ends_no_line_is_a_character(file, read):
    captures = read(file("ref.txt", "one two\n"), {"a": file("a.txt", "one\rtwo\n")}).captures()
    assert captures["a"].texts == TextPairs(["one two"], ["one\rtwo"])


@pytest.mark.parametrize(("content", "text"), [("onc\n", "onc"), ("", "")])
def test_whole_files_are_one_segment_named_after_the_reference(file, content, text):
    captures = read_folders(file("ref.txt", "one\ntwo\n"), {"a": file("a.txt", content)}).captures()
    assert (captures["a"].segments.segment_id, captures["a"].texts) == (["ref.txt"], TextPairs(["one\ntwo"], [text]))


def test_files_of_unequal_length_name_both_and_their_numbers(file):
    reference, hypothesis = file("ref.txt", "one\ntwo\n"), file("a.txt", "one\ntwo\nthree\n")
    with pytest.raises(LengthMismatchError, match=r"ref\.txt has 2 lines and .*a\.txt \(a\) has 3"):
        read_files(reference, {"a": hypothesis})


@pytest.mark.parametrize("read", [read_files, read_folders])
def test_an_empty_reference_file_is_refused(file, read):
    with pytest.raises(InputFileError, match=r"ref\.txt is empty, expected references"):
        read(file("ref.txt", ""), {"a": file("a.txt", "one\n")})


def test_an_empty_file_that_is_called_a_text_is_an_empty_reference(file):
    files = file("ref.txt", ""), {"a": file("a.txt", "one\n")}
    table = read_folders(*files, FolderOptions(format="text"))
    assert (table.references, table.hypotheses) == ([""], {"a": ["one"]})
    with pytest.raises(InputFileError, match=r"ref\.txt is empty, expected references"):
        read_folders(*files, FolderOptions(hypothesis_format="text"))


def test_a_missing_hypothesis_file_and_one_in_another_encoding_are_named(file, tmp_path):
    with pytest.raises(InputFileError, match=r"there is no file .*absent\.txt"):
        read_files(file("ref.txt", "one\n"), {"a": tmp_path / "absent.txt"})
    with pytest.raises(InputFileError, match=r"a\.txt, line 2: byte 0xe9"):
        read_files(file("ref.txt", "one\ncafé\n"), {"a": file("a.txt", "one\ncafé\n".encode("latin-1"))})


def test_the_digest_tells_other_references_apart_and_not_other_hypotheses(file):
    texts = (("one\n", "one\n"), ("one\n", "two\n"), ("two\n", "one\n"))
    one, same, other = (read_files(file("ref.txt", ref), {"a": file("a.txt", hyp)}).digest for ref, hyp in texts)
    assert one == same != other
