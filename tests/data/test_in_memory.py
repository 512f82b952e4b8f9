import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from misread.data import TableColumns, from_columns, from_frame, read_table
from misread.data.segment_table import SegmentKeys
from misread.errors import InputTypeError, InputValueError, LengthMismatchError, UnknownNameError

REFERENCES = ["one", "two", "three"]
HYPOTHESES = {"a": ["one", "twa", ""], "b": ["onc", None, "three"]}
PAGES = ["p1", "p1", "p2"]


@pytest.fixture
def frame():
    return pd.DataFrame(
        {"ref": REFERENCES, **HYPOTHESES, "page": PAGES, "line": [1, 2, 1], "language": ["fr", "fr", "de"]}
    )


def table_of(frame, **changes):
    return from_frame(frame, **{"reference": "ref", "systems": ["a", "b"], **changes})


# Python sequences


def test_columns_become_a_table():
    table = from_columns(
        REFERENCES, HYPOTHESES, ids=["x", "y", "z"], clusters=PAGES, groups={"language": ["fr", "fr", "de"]}
    )
    assert (table.references, table.hypotheses) == (REFERENCES, HYPOTHESES)
    assert table.keys == SegmentKeys(["x", "y", "z"], PAGES, {"language": ["fr", "fr", "de"]})
    assert (table.name, table.cluster_name) == ("texts", "cluster")


def test_without_more_segments_are_numbered_from_one_and_have_no_clusters():
    table = from_columns(REFERENCES, HYPOTHESES)
    assert table.keys == SegmentKeys(["1", "2", "3"], None, {})
    assert table.cluster_name == ""


def test_whole_numbers_are_labels():
    table = from_columns(REFERENCES, HYPOTHESES, ids=[7, np.int64(8), 9], clusters=np.array([1, 1, 2]))
    assert (table.segment_id, table.cluster) == (["7", "8", "9"], ["1", "1", "2"])


@pytest.mark.parametrize(
    "make",
    [
        tuple,
        iter,
        np.array,
        pa.array,
        lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
        pd.Series,
        pd.Index,
        lambda texts: pd.Series(texts, dtype="string[pyarrow]"),
        lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
        lambda texts: pd.Series(texts, dtype="category"),
        lambda texts: pd.array(texts, dtype="string"),
        pd.Categorical,
    ],
)
def test_texts_may_be_any_sequence(make):
    texts = from_columns(make(REFERENCES), {"a": make(HYPOTHESES["a"])}, clusters=make(PAGES))
    assert (texts.references, texts.hypotheses, texts.cluster) == (REFERENCES, {"a": HYPOTHESES["a"]}, PAGES)
    assert all(type(text) is str or isinstance(text, np.str_) for text in texts.references)


MISSING = [None, float("nan"), np.nan, np.float32("nan"), pd.NA, pd.NaT]


@pytest.mark.parametrize("missing", MISSING)
def test_what_pandas_takes_for_missing_is_a_missing_hypothesis(missing):
    assert from_columns(["one", "two"], {"a": ["", missing]}).hypotheses["a"] == ["", None]


@pytest.mark.parametrize("dtype", ["string[pyarrow]", pd.ArrowDtype(pa.string()), "category", object, "Arrow"])
def test_a_missing_hypothesis_is_missing_in_every_type_of_column(dtype):
    column = pa.array(["", None]) if dtype == "Arrow" else pd.Series(["", None], dtype=dtype)
    assert from_columns(["one", "two"], {"a": column}).hypotheses["a"] == ["", None]


NO_TEXTS = ("one", b"one", {"one"}, None, 3, pd.DataFrame({"x": ["one"]}))
NO_LABELS = (1.5, True, ("p", 1), pd.Timestamp("2024-01-01"))
OTHER_INDEX = {"references": pd.Series(REFERENCES), "clusters": pd.Series(PAGES).sort_index(ascending=False)}


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"ids": ["a", "b", "\ud800"]}, InputValueError, r"ids\[2\] holds '.*': half of a surrogate pair is no char"),
        ({"clusters": ["p", "p", "q\udfff"]}, InputValueError, r"clusters\[2\] holds '.*': half of a surrogate pair"),
        ({"systems": {"a\ud800": REFERENCES}}, InputValueError, r"systems has the name 'a\\ud800'"),
        ({"systems": {" ": REFERENCES}}, InputValueError, "systems has"),
        *(({"systems": {name: REFERENCES}}, InputTypeError, "systems has") for name in (1, None)),
        *(({"systems": value}, InputTypeError, "systems is of type .*expected a mapping") for value in NO_TEXTS[::5]),
        *(({"references": ["one", value, ""]}, InputTypeError, r"references\[1\] has no value") for value in MISSING),
        *(({"references": value}, InputTypeError, "references is of type .*expected a sequence") for value in NO_TEXTS),
        *(({"systems": {"a": value}}, InputTypeError, r"systems\['a'\] is of type .*a sequence") for value in NO_TEXTS),
        *(
            ({"systems": {"a": {"x": v}}}, InputTypeError, r"systems\['a'\]\['x'\] is of type .*a seq")
            for v in NO_TEXTS
        ),
        ({"references": {"x": "one"}}, InputTypeError, "references is of type dict, expected a sequence"),
        *(
            ({"systems": {"a": ["one", cell, "three"]}}, InputTypeError, rf"systems\['a'\]\[1\] holds .* \({kind}\)")
            for cell, kind in ((1858, "int"), (1.5, "float"), (b"two", "bytes"), (["two"], "list"))
        ),
        ({"systems": {"a": ["one"]}}, LengthMismatchError, r"references has 3 entries and systems\['a'\] has 1"),
        ({"ids": ["x"]}, LengthMismatchError, "references has 3 entries and ids has 1"),
        ({"clusters": ["p"]}, LengthMismatchError, "references has 3 entries and clusters has 1"),
        ({"groups": {"k": ["fr"]}}, LengthMismatchError, r"references has 3 entries and groups\['k'\] has 1"),
        ({"systems": {}}, InputValueError, "systems is empty"),
        ({"references": [], "systems": {"a": []}}, InputValueError, "references is empty"),
        ({"ids": ["x", "y", "x"]}, InputValueError, r"ids\[2\]: segment id 'x' was taken by ids\[0\] already"),
        *(({"clusters": ["p", value, "p"]}, InputValueError, r"clusters\[1\] has no") for value in ("", " ", *MISSING)),
        *(
            ({"groups": {"k": [value, "p", "p"]}}, InputTypeError, r"groups\['k'\]\[0\] holds .*text or a whole number")
            for value in NO_LABELS
        ),
        (OTHER_INDEX, InputValueError, "clusters is a Series with another index than references"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_place(change, error, said):
    settings = {"references": REFERENCES, "systems": HYPOTHESES, **change}
    with pytest.raises(error, match=f"^{said}"):
        from_columns(**settings)


def test_series_of_one_index_are_paired_by_position():
    index = ["k", "k", "l"]
    series = [pd.Series(texts, index=index) for texts in (REFERENCES, HYPOTHESES["a"], PAGES)]
    table = from_columns(series[0], {"a": series[1], "b": HYPOTHESES["b"]}, clusters=series[2])
    assert (table.references, table.hypotheses, table.cluster) == (REFERENCES, HYPOTHESES, PAGES)


# Frames


def test_columns_of_a_frame_become_a_table(frame):
    table = table_of(frame, segment_id=["page", "line"], cluster="page", groups=["language"])
    assert (table.references, table.hypotheses) == (REFERENCES, HYPOTHESES)
    assert table.keys == SegmentKeys(["p1-1", "p1-2", "p2-1"], PAGES, {"language": ["fr", "fr", "de"]})
    assert (table.name, table.cluster_name) == ("frame", "page")


def test_systems_may_be_called_other_than_their_columns(frame):
    assert table_of(frame, systems={"kraken": "a"}).hypotheses == {"kraken": HYPOTHESES["a"]}


def test_the_index_of_a_frame_makes_no_difference(frame):
    assert table_of(frame.set_index("line")) == table_of(frame)


@pytest.mark.parametrize("dtype", ["string[pyarrow]", pd.ArrowDtype(pa.string()), "category", object])
def test_columns_of_every_type_are_read(frame, dtype):
    texts = ["ref", "a", "b", "page", "language"]
    other = frame.astype(dict.fromkeys(texts, dtype))
    settings = {"cluster": "page", "groups": ["language"]}
    assert table_of(other, **settings) == table_of(frame, **settings)


def test_a_frame_has_the_digest_of_the_same_table_in_a_file(frame, tmp_path):
    frame.to_parquet(tmp_path / "t.parquet")
    settings = {"segment_id": ["page", "line"], "cluster": "page", "groups": ["language"]}
    in_file = read_table(tmp_path / "t.parquet", TableColumns(reference="ref", **settings), {"a": "a", "b": "b"})
    assert table_of(frame, segment_id=["page", "line"], cluster="page", groups=["language"], name="t") == in_file


def test_a_missing_reference_names_its_row_and_column(frame):
    frame.loc[1, "ref"] = None
    with pytest.raises(InputTypeError, match=r"^frame, row 1: column 'ref' has no value, expected text"):
        table_of(frame)


@pytest.mark.parametrize(
    ("setting", "error", "message"),
    [
        ({"systems": ["a", "line"]}, InputTypeError, r"^frame, row 0: column 'line' holds 1 \(int\), expected text"),
        ({"segment_id": "page"}, InputValueError, r"^frame, row 1: segment id 'p1' was taken by frame, row 0 already"),
        ({"systems": ["a", "a"]}, InputValueError, r"^systems names 'a' twice"),
        ({"systems": []}, InputValueError, r"^systems is empty"),
        *(({name: 3}, InputTypeError, f"^{name} is .*, expected a list of columns") for name in ("systems", "groups")),
        ({"groups": {"page": []}}, InputTypeError, "^groups is .*, expected a list of columns"),
        *(
            ({name: column}, UnknownNameError, r"unknown column 'pagé' in frame\. Did you mean 'page'")
            for name, columns in {
                "reference": ["pagé"],
                "systems": [["a", "pagé"], {"a": "pagé"}],
                "cluster": ["pagé"],
                "groups": [["pagé"]],
                "segment_id": ["pagé", ["line", "pagé"]],
            }.items()
            for column in columns
        ),
    ],
)
def test_columns_that_cannot_be_used_are_named_with_their_rows(frame, setting, error, message):
    with pytest.raises(error, match=message):
        table_of(frame, **setting)
    with pytest.raises(InputValueError, match=r"^frame has no row"):
        table_of(frame[:0])


def test_ids_that_different_columns_make_alike_name_both_rows():
    frame = pd.DataFrame({"ref": ["one", "two"], "a": ["one", "two"], "x": ["k", "k-l"], "y": ["l-m", "m"]})
    with pytest.raises(
        InputValueError, match=r"^frame, row 1: .* make the label 'k-l-m', as 'k' and 'l-m' do on row 0"
    ):
        table_of(frame, systems=["a"], segment_id=["x", "y"])


def test_a_column_that_occurs_twice_is_named(frame):
    frame.columns = ["ref", "a", "b", "a", "line", "language"]
    with pytest.raises(InputValueError, match=r"^frame: column 'a' occurs twice"):
        table_of(frame)


def test_columns_of_several_levels_are_refused_with_the_way_out(frame):
    frame.columns = pd.MultiIndex.from_product([["x"], frame.columns])
    with pytest.raises(InputValueError, match=r"^frame has columns of 2 levels .*join them"):
        table_of(frame)
    frame.columns = frame.columns.map("_".join)
    assert table_of(frame, reference="x_ref", systems={"a": "x_a", "b": "x_b"}).hypotheses == HYPOTHESES


@pytest.mark.parametrize("other", [{"ref": ["one"]}, pa.table({"ref": ["one"]}), pd.Series(["one"]), None])
def test_what_is_not_a_frame_is_refused(other):
    with pytest.raises(InputTypeError, match=r"^frame is of type .*, expected a pandas DataFrame"):
        table_of(other)
