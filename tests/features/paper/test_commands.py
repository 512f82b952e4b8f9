import pytest


@pytest.fixture
def run(misread, write_results, tmp_path):
    write_results(tmp_path)
    return misread


def test_macros_are_printed_or_written(run, tmp_path):
    done = run("paper", "macros")
    assert (done.status, done.err) == (0, "")
    assert r"\@namedef{misread@lines.a.cer.errors}{4}" in done.out
    assert "numbers to results.tex" in run("paper", "macros", "--output", "results.tex").out
    assert (tmp_path / "results.tex").read_text(encoding="ascii") == done.out


def test_a_paper_with_right_numbers_ends_with_0(run, write_lines):
    paper = write_lines("paper.tex", "\\misread{lines.a.cer.errors}{4} of \\misread{lines.segments}{4}\n")
    assert run("paper", "lint", paper) == (0, "2 tagged numbers, 0 wrong\n", "")


def test_wrong_numbers_are_named_with_file_and_line(run, write_lines):
    first = write_lines("first.tex", "text\n\\misread{lines.a.cer.errors}{5}\n")
    second = write_lines("second.tex", "\\misread{lines.a.cer.erors}{4}\n")
    done = run("paper", "lint", first, second)
    assert done.status == 1
    assert done.out.splitlines()[0] == "first.tex:2: lines.a.cer.errors is 4, not 5"
    assert done.out.splitlines()[1].startswith(
        "second.tex:1: unknown key 'lines.a.cer.erors'; did you mean lines.a.cer.errors"
    )
    assert done.out.splitlines()[2] == "2 tagged numbers, 2 wrong"


def test_what_is_missing_is_named(run, misread, tmp_path):
    assert "there is no file paper.tex" in run("paper", "lint", "paper.tex").err
    (tmp_path / "build/comparisons/lines.json").unlink()
    done = misread("paper", "macros")
    assert (done.status, done.out) == (1, "")
    assert "run `dvc repro`" in done.err
