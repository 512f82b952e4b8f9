import json

import pytest

from misread.errors import InputFileError
from misread.io.json_files import record_to_json
from misread.pipeline import paths
from misread.stats import read_comparison


@pytest.fixture
def path(tmp_path, write_results):
    write_results(tmp_path, clusters=["p", "p", "q", "q"])
    return tmp_path / paths.comparison("lines")


def test_it_is_read_as_it_was_written(path):
    assert record_to_json(read_comparison(path), kind="comparison") == path.read_bytes()


@pytest.mark.parametrize(
    ("place", "key", "where"),
    [
        (lambda of: of, "ranking", ""),
        (lambda of: of["comparisons"][0], "verdict", r" - at `\$\.comparisons\[0\]`"),
        (lambda of: of["systems"]["a"]["cer"], "direction", r" - at `\$\.systems\[\.\.\.\]\[\.\.\.\]`"),
    ],
)
def test_what_an_older_version_wrote_is_refused_with_what_to_run(path, place, key, where):
    content = json.loads(path.read_text(encoding="utf-8"))
    del place(content)[key]
    del content["kind"], content["crc32"]
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(
        InputFileError, match=rf"lines\.json: .*missing required field `{key}`{where}; another version.*run `dvc repro`"
    ):
        read_comparison(path)


def test_a_value_of_another_type_is_refused_with_its_place(path):
    content = json.loads(path.read_text(encoding="utf-8"))
    content["comparisons"][0]["pvalue_adjusted"] = "small"
    del content["kind"], content["crc32"]
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(
        InputFileError, match=r"Expected `float`, got `str` - at `\$\.comparisons\[0\]\.pvalue_adjusted`; another"
    ):
        read_comparison(path)


def test_a_number_that_no_result_has_is_refused(path):
    content = json.loads(path.read_text(encoding="utf-8"))
    next(iter(content["comparisons"][0]["tests"].values()))["pvalue"] = 0.0
    del content["kind"], content["crc32"]
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputFileError, match=r"pvalue 0\.0 is not in \(0, 1\]\. - at `\$\.comparisons\[0\]"):
        read_comparison(path)


def test_what_holds_no_comparison_is_refused(path):
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"lines\.json: Expected `object`, got `array`; another version"):
        read_comparison(path)
