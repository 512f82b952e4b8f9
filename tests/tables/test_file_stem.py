from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.tables.file_stem import file_stem


def test_ids_stay_as_they_are():
    assert file_stem("das22", "cer_raw", "by", "Book-title") == "das22_cer_raw_by_Book-title"


def test_the_hash_of_a_name_never_changes():
    assert file_stem("das22", "cer", "by", "../x") == "das22_cer_by_x-d6b96a97d1"


@pytest.mark.parametrize(
    "name", ["../../x", "/etc/passwd", "..", "a\\b", "C:x", "", "a b", "\x1b[2J", "漢字", "\udcff"]
)
def test_a_name_from_outside_is_one_plain_file_name(name):
    stem = file_stem("d", "by", name)
    assert stem.startswith("d_by_")
    assert PurePosixPath(stem).name == PureWindowsPath(stem).name == stem
    assert stem.replace("-", "").replace("_", "").isalnum()
    assert stem.isascii()


def test_a_long_name_is_cut():
    assert len(file_stem("d", "by", "a" * 1000)) < 64


def test_a_name_that_looks_like_another_one_with_its_hash_is_another_file():
    assert file_stem(file_stem("../x")) != file_stem("../x")


def test_no_name_is_an_option_of_a_command():
    assert not file_stem("-rf").startswith("-")


@given(st.text(), st.text())
def test_two_names_give_two_files(one, other):
    assert (file_stem(one) == file_stem(other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"), [("../x", "x"), ("a b", "a-b"), ("a/b", "a\\b"), ("é", "e\u0301"), ("x", "x ")]
)
def test_names_that_look_alike_give_two_files(one, other):
    assert file_stem(one) != file_stem(other)
