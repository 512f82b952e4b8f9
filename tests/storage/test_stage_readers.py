"""Files of stages with a column or a fact that is lacking or of another type: seldom, of every kind, and named."""

import random

import pytest
from tests.golden.examples import STAGE_KINDS
from tools.fuzz.running import check
from tools.fuzz.stage_files import targets

from misread.errors import InputFileError
from misread.storage.stage_readers import reads_stage

INPUTS = 25


@pytest.fixture(scope="module")
def stage_files():
    return {target.name: target for target in targets()}


@pytest.mark.parametrize("name", [*STAGE_KINDS, "json"])
def test_changed_files_are_read_or_refused_by_the_documented_error(stage_files, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    target = stage_files[name]
    assert check(target, target.samples[0], tmp_path) is None
    for number in range(INPUTS):
        data = target.make(random.Random(f"test {number}"))
        assert not check(target, data, tmp_path), f"input {number}"


@pytest.mark.parametrize(
    "error", [KeyError("cer.errors"), TypeError("no\nlist"), OverflowError(), NotImplementedError()]
)
def test_what_a_reader_stumbles_over_names_the_file_and_the_stage(tmp_path, error):
    @reads_stage("score")
    def read(path):
        raise error

    with pytest.raises(InputFileError, match=r"counts\.parquet was written by another version .* `dvc repro score`"):
        read(tmp_path / "counts.parquet")


def test_an_error_that_says_more_is_left_as_it_is(tmp_path):
    @reads_stage("score")
    def read(path):
        raise InputFileError("it is cut short")

    with pytest.raises(InputFileError, match=r"^it is cut short$"):
        read(tmp_path / "counts.parquet")
