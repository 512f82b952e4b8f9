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


def test_what_is_missing_is_named(run, misread, tmp_path):
    (tmp_path / "build/comparisons/lines.json").unlink()
    done = misread("paper", "macros")
    assert (done.status, done.out) == (1, "")
    assert "run `dvc repro`" in done.err
