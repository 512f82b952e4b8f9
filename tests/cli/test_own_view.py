"""A view of a module of one's own, as the guide has it."""

import re

import pytest


@pytest.fixture
def study(repository, tmp_path):
    page = (repository / "docs/how-to/code-of-your-own.md").read_text(encoding="utf-8")
    ((name, code),) = re.findall(r"```python\n# src/study/(views\.py)\n(.*?)```", page, re.DOTALL)
    (tmp_path / "seen").mkdir()
    (tmp_path / "seen" / name).write_text(code, encoding="utf-8")
    (tmp_path / "truth.txt").write_text("one\ntwo\n")
    (tmp_path / "a.txt").write_text("one\nt\n")
    return tmp_path


@pytest.mark.usefixtures("study")
def test_the_command_shows_a_view_of_a_module_beside_the_texts(misread):
    options = ("score", "truth.txt", "a.txt", "--metrics", "cer", "--resamples", "9", "--output", "json", "--view")
    for name, rows in {"seen.views.Short": 1, "all=seen.views.Short(longest=9)": 2}.items():
        ((key, records),) = misread(*options, name).json["views"].items()
        assert (key, len(records)) == (name.removeprefix("all="), rows)
    refused = misread(*options, "seen.views.Long")
    assert (refused.status, "'seen.views.Long'" in refused.err) == (1, True)
