import json

import pytest

from misread.errors import InputFileError
from misread.pipeline import paths
from misread.stats import read_comparison


@pytest.fixture
def path(tmp_path, write_results):
    write_results(tmp_path)
    return tmp_path / paths.comparison("lines")


def test_it_is_read_as_it_was_written(path):
    assert read_comparison(path) == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("place", "key"),
    [
        (lambda of: of, "ranking"),
        (lambda of: of["comparisons"][0], "verdict"),
        (lambda of: of["systems"]["a"]["cer"], "direction"),
    ],
)
def test_what_an_older_version_wrote_is_refused_with_what_to_run(path, place, key):
    content = json.loads(path.read_text(encoding="utf-8"))
    del place(content)[key]
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputFileError, match=rf"lines\.json lacks {key}: another version.*run `dvc repro`"):
        read_comparison(path)


def test_what_holds_no_comparison_is_refused(path):
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"lines\.json lacks average_ranks, "):
        read_comparison(path)
