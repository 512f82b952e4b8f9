"""Folders of texts as a data set of the pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from misread.data import Dataset, TextFolders
from misread.errors import ConfigurationError, InputFileError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder, texts in {
        "truth": {"p1_a": "one\r\ntwo\n", "p1_b": "three", "p2_a": "four"},
        "ocr/first": {"p1_a": "one\ntvo", "p2_a": "four"},
    }.items():
        (tmp_path / folder).mkdir(parents=True)
        for name, text in texts.items():
            (tmp_path / folder / f"{name}.txt").write_bytes(text.encode())
    return tmp_path


def test_texts_are_paired_by_name_and_a_missing_file_is_a_missing_text(root: Path) -> None:
    data = TextFolders(str(root), "truth", {"first": "ocr/first"}, cluster="^([^_]+)_", cluster_name="page")
    assert isinstance(data, Dataset)
    assert data.offers == {"recorded:first"}
    table = data.segments()
    assert list(table.segment_id) == ["p1_a", "p1_b", "p2_a"]
    assert list(table.references) == ["one\ntwo", "three", "four"]
    assert list(table.hypotheses["first"]) == ["one\ntvo", None, "four"]
    assert (list(table.cluster), table.cluster_name) == (["p1", "p1", "p2"], "page")
    assert TextFolders(str(root), "truth", {"first": "ocr/first"}).segments().cluster is None


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"cluster": "("}, "cluster '\\(' is not a regular expression"),
        ({"cluster": "p1"}, "cluster 'p1' has no groups; put the cluster into one"),
        ({"cluster": "(p3)"}, r"cluster '\(p3\)' finds no cluster in 'p1_a\.txt'"),
        ({"reference": "thruth"}, "reference: there is no folder .*thruth"),
        ({"recorded": {"first": "../first"}}, "leads out of the data set's folder"),
        ({"recorded": {"first": "ocr/fist"}}, r"setting recorded\.first: there is no folder .*fist"),
    ],
)
def test_what_does_not_fit_is_refused(root: Path, settings: dict[str, object], refusal: str) -> None:
    described = {"reference": "truth", "recorded": {"first": "ocr/first"}, **settings}
    with pytest.raises((ConfigurationError, InputFileError), match=refusal):
        TextFolders(str(root), **described).segments()
