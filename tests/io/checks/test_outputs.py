"""Outputs that would be written over an input."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError
from misread.io import write_text
from misread.io.checks.outputs import check_outputs

NAMES = (
    *("a.txt", "b.txt", "in/a.txt", "in/b.txt", "link.txt", "hard.txt"),
    *("linked/a.txt", "new.txt", "in/new.txt", "in"),
)


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3), st.lists(st.sampled_from(NAMES), max_size=3))
def test_what_is_read_stays_as_it_was_and_every_output_is_there(outputs, inputs):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "in").mkdir()
        for name in ("a.txt", "b.txt", "in/a.txt", "in/b.txt"):
            (root / name).write_text(name)
        (root / "link.txt").symlink_to("in/a.txt")
        os.link(root / "b.txt", root / "hard.txt")
        (root / "linked").symlink_to("in")
        read = [root / name for name in inputs if (root / name).exists()]
        content = {
            path: path.read_text() for entry in read for path in (entry.rglob("*.txt") if entry.is_dir() else [entry])
        }
        written = [root / name for name in outputs]
        with suppress(ConfigurationError):
            check_outputs(written, read)
            for number, path in enumerate(written):
                write_text(path / "results.json" if path.is_dir() else path, f"output {number}")
            for number, path in enumerate(written):
                assert (path / "results.json" if path.is_dir() else path).read_text() == f"output {number}"
            assert {path: path.read_text() for path in content} == content


@pytest.mark.parametrize("name", ["a.txt", "./a.txt", "in/../a.txt", "link.txt", "in", "A"])
def test_an_input_is_refused_under_each_of_its_names(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for path in ("a.txt", "in/b.txt"):
        Path(path).touch()
    Path("link.txt").symlink_to("a.txt")
    os.link("a.txt", "A")
    with pytest.raises(ConfigurationError, match="would be written over an input"):
        check_outputs([Path(name)], [Path("a.txt"), Path("in/b.txt")])


def test_a_device_may_be_both(tmp_path):
    check_outputs([Path(os.devnull), tmp_path / "new"], [Path(os.devnull), tmp_path / "missing"])


@pytest.mark.parametrize("text", ["cer," * 300, "a\0b"])
def test_what_can_be_no_path_is_no_input(tmp_path, text):
    check_outputs([tmp_path / "new.txt"], [Path(text)])
