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
    ("change", "message"),
    [
        (lambda content: content.pop("ranking"), "missing required field `ranking`; another version"),
        (
            lambda content: content["comparisons"][0].pop("verdict"),
            r"missing required field `verdict` - at `\$\.comparisons\[0\]`; another version",
        ),
        (
            lambda content: content["systems"]["a"]["cer"].pop("direction"),
            r"missing required field `direction` - at `\$\.systems\[\.\.\.\]\[\.\.\.\]`; another version",
        ),
        (
            lambda content: content["comparisons"][0].update(pvalue_adjusted="small"),
            r"Expected `float`, got `str` - at `\$\.comparisons\[0\]\.pvalue_adjusted`; another version",
        ),
        (
            lambda content: next(iter(content["comparisons"][0]["tests"].values())).update(pvalue=0.0),
            r"pvalue 0\.0 is not in \(0, 1\]\. - at `\$\.comparisons\[0\]",
        ),
    ],
)
def test_what_is_no_comparison_of_this_version_is_refused_with_its_place_and_what_to_run(path, change, message):
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    unstamped = {key: value for key, value in content.items() if key not in {"kind", "format", "crc32"}}
    path.write_bytes(record_to_json(unstamped, kind="comparison"))
    with pytest.raises(InputFileError, match=rf"lines\.json: .*{message}.*run `dvc repro`"):
        read_comparison(path)


def test_what_holds_no_comparison_is_refused(path):
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"lines\.json: Expected `object`, got `array`; another version"):
        read_comparison(path)
