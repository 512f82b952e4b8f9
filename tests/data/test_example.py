"""The example is looked for when it is asked for."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.copies import copy_writable

import misread
from misread.data.example import find_example
from misread.errors import MissingDataError


def test_it_is_in_the_first_folder_that_has_it(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    shutil.copy(find_example(), tmp_path / "full")
    assert find_example([tmp_path / "empty", tmp_path / "full"]) == tmp_path / "full/lines.csv"


def test_where_it_lacks_the_error_names_the_folders(tmp_path):
    with pytest.raises(MissingDataError, match=r"without its example, expected \S*one/lines\.csv or \S*two/lines\.csv"):
        find_example([tmp_path / "one", tmp_path / "two"])


@pytest.mark.process
@pytest.mark.slow
def test_a_package_alone_scores_files_and_refuses_the_example_in_one_line(tmp_path):
    copy_writable(Path(misread.__file__).parent, tmp_path / "lib/misread", "__pycache__", "examples")
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("one two\n")

    def run(*arguments):
        code = f"import sys; sys.path.insert(0, {str(tmp_path / 'lib')!r}); from misread.cli import main; main()"
        command = [sys.executable, "-c", code, "score", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run("a.txt", "b.txt", "--metrics", "cer").returncode == 0
    refused = run("--example")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (1, 1)
    assert "misread was installed without its example" in refused.stderr
