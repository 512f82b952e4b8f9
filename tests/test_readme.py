"""The README says what is true: its blocks are run, its table is that of the committed run."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from misread.params import check_id, instantiate


@pytest.fixture(scope="module")
def readme(repository: Path) -> str:
    return (repository / "README.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def test_console_blocks_print_what_they_show(readme: str, tmp_path: Path) -> None:
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    shown = blocks(readme, "console")
    assert shown
    for block in shown:
        commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
        output = "".join(line for line in block.splitlines(keepends=True) if not line.startswith("$ "))
        done = subprocess.run(
            ["bash", "-euc", "\n".join(commands)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == output


def test_python_blocks_give_what_they_show(readme: str) -> None:
    shown = blocks(readme, "python")
    assert shown
    runner = doctest.DocTestRunner()
    for number, block in enumerate(shown):
        runner.run(doctest.DocTestParser().get_doctest(block, {}, f"README block {number}", "README.md", 0))
    assert runner.failures == 0


def test_configuration_blocks_can_be_instantiated(readme: str) -> None:
    shown = blocks(readme, "yaml")
    assert shown
    for block in shown:
        for entry_id, section in yaml.safe_load(block).items():
            check_id("README", entry_id, where="README.md")
            instantiate(section, where=f"README.md: {entry_id}")


def test_tables_are_those_of_the_committed_run(readme: str, repository: Path) -> None:
    shown = re.findall(r"<!-- table: (\S+) -->\n(.*?)<!-- end of table -->", readme, flags=re.DOTALL)
    assert shown
    for name, table in shown:
        assert table == (repository / name).read_text(encoding="utf-8")


def test_files_that_it_links_are_there(readme: str, repository: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", readme):
        assert (repository / target).exists(), target
