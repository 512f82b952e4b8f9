import pytest

from misread.data import annotate, from_columns, with_annotations
from misread.errors import InputFileError, InputTypeError, LengthMismatchError, UnknownNameError


@pytest.fixture
def table():
    return from_columns(["a", "b"], {"s": ["a", "b"]}, ids=["x", "y"])


@pytest.fixture
def write(tmp_path):
    def write(*lines):
        path = tmp_path / "annotations.jsonl"
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return write


def test_annotations_are_found_by_id_and_belong_to_references_or_a_system(table, write):
    path = write('{"id": "y", "biasing": ["b"], "note": 1}', "", '{"id": "x", "biasing": []}')
    made = annotate(table, {"references": path, "s": path})
    assert made.annotations == {"biasing": [[], ["b"]], "note": [None, 1]}
    assert made.captures()["s"].annotations == made.annotations
    assert made.take([1]).annotations_of == {"s": {"biasing": [["b"]], "note": [1]}}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['{"id": "z", "a": 1}'], "line 1: the data has no segment 'z'"),
        (['{"id": "x", "a": 1}', '{"id": "x", "a": 2}'], "line 2: segment 'x' is on line 1, too"),
        (['{"id": 1, "a": 1}'], "line 1: expected an object such as"),
        (["[1]"], "line 1: expected an object such as"),
        (["{"], "line 1"),
        ([""], "has no annotation"),
    ],
)
def test_files_that_cannot_be_used_are_refused_with_the_line(table, write, lines, message):
    with pytest.raises(InputFileError, match=message):
        annotate(table, {"s": write(*lines)})


def test_a_system_that_is_not_there_is_refused(table, write):
    with pytest.raises(UnknownNameError, match="unknown system 't' in annotations"):
        annotate(table, {"t": write('{"id": "x", "a": 1}')})
    with pytest.raises(UnknownNameError, match=r"unknown system 't' in annotations\['a'\]"):
        with_annotations(table, {"a": {"t": [1, 2]}})


def test_sequences_must_have_one_value_per_segment(table):
    assert with_annotations(table, {"a": [1, None]}).annotations == {"a": [1, None]}
    with pytest.raises(LengthMismatchError, match=r"annotations\['a'\]"):
        with_annotations(table, {"a": [1]})
    with pytest.raises(InputTypeError, match=r"annotations\['a'\] is of type str"):
        with_annotations(table, {"a": "ab"})
