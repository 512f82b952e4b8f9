"""findings/: each script pins what it installs, knows nothing of misread, and has its row in the guide."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SCRIPTS = sorted((REPOSITORY / "findings").iterdir())
PAGE = (REPOSITORY / "docs/reference/other-programs.md").read_text(encoding="utf-8")
ROWS = {name: program for program, name in re.findall(r"^\| ([^|]+) \|[^|]+\| `(\w+)` \|", PAGE, re.MULTILINE)}


def test_every_script_has_its_row_and_every_row_its_script():
    assert [path.name for path in SCRIPTS] == sorted(f"{name}.sh" for name in ROWS)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_works_in_a_folder_of_its_own_with_pinned_packages_and_without_misread(path):
    shebang, title, strict, *lines = path.read_text(encoding="utf-8").splitlines()
    program = re.match(r"# ([\w-]+): .*\.$", title)[1]
    assert (shebang, strict) == ("#!/usr/bin/env bash", "set -euo pipefail")
    assert lines[:3] == ["folder=$(mktemp -d)", "trap 'rm -rf \"$folder\"' EXIT", 'cd "$folder"']
    installed = [word for line in lines if " install -qq " in line for word in line.split("version-check ")[1].split()]
    assert all(re.fullmatch(r"[\w-]+==[\w.]+", word) for word in installed)
    named, version = ROWS[path.stem].rsplit(" ", 1)
    assert program.removeprefix("hocr-eval-lines").lower() in named.lower()
    # A package of Debian has its version in the message that asks for it.
    assert any(f"=={version}" in word for word in installed) or f"({version}" in "\n".join(lines) or named == "sclite"
    assert not re.search(r"import misread|misread (score|convert)", "\n".join(lines))
