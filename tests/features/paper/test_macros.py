import shutil
import subprocess

import pytest

from misread.features.paper.macros import render_macros
from misread.features.paper.result_values import ResultValue, read_result_values
from misread.tables.numbers import RateFormat

PAPER = r"""\documentclass{article}
\input{results}
\begin{document}
Rate \misreadvalue{books.pero.cer.micro}\,\%, difference $\misreadvalue{books.kraken-vs-pero.cer.difference}$,
$p$ \misreadvalue{books.kraken-vs-pero.cer.pvalue_adjusted}, typed \misread{books.segments}{60}.
MORE
\end{document}
"""


@pytest.fixture
def typeset(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed: the macros are not typeset")

    def run(macros, more=""):
        (tmp_path / "results.tex").write_text(macros, encoding="ascii")
        (tmp_path / "paper.tex").write_text(PAPER.replace("MORE", more), encoding="ascii")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "paper.tex"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def test_macros_typeset(typeset, three):
    done = typeset(render_macros(read_result_values([three]), RateFormat()))
    assert done.returncode == 0, done.stdout


def test_an_unknown_key_stops_latex_and_is_named(typeset, three):
    done = typeset(render_macros(read_result_values([three]), RateFormat()), r"\misreadvalue{books.nope}")
    assert done.returncode != 0
    assert "no result has the key `books.nope'" in done.stdout


def test_a_rate_is_its_number_alone():
    assert r"\@namedef{misread@a}{3.01}" in render_macros({"a": ResultValue(0.0301, "rate")}, RateFormat())


def test_signs_are_set_as_mathematics():
    macros = render_macros({"a": ResultValue(-0.01, "difference"), "b": ResultValue(1e-9, "pvalue")}, RateFormat())
    assert r"\@namedef{misread@a}{\ensuremath{-1.00}}" in macros
    assert r"\@namedef{misread@b}{\ensuremath{< 0.001}}" in macros


def test_the_same_results_give_the_same_bytes(three):
    first, second = (render_macros(read_result_values([three]), RateFormat()) for _ in range(2))
    assert first == second
