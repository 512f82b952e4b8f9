import shutil
import subprocess
from dataclasses import replace

import pytest

from misread.features.paper.result_values import ResultValue, read_result_values, render_macros
from misread.tables.number_text import RateFormat


@pytest.fixture
def values(three, grouped):
    return read_result_values([replace(three, groups=grouped.groups)])


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("books.segments", 60, "count"),
        ("books.clusters", 12, "count"),
        ("books.pero.cer.micro", 0.0301, "rate"),
        ("books.pero.cer.low", 0.0201, "rate"),
        ("books.pero.cer.errors", 10, "count"),
        ("books.pero-vs-tesseract4.cer.difference", -0.008, "difference"),
        ("books.pero-vs-tesseract4.cer.high", 0.002, "difference"),
        ("books.pero-vs-tesseract4.cer.pvalue_adjusted", 0.31, "pvalue"),
        ("books.kraken-vs-pero.cer.better", 1, "count"),
        ("books.by.degradation.heavy.kraken.cer.micro", 0.1, "rate"),
        ("books.by.degradation.heavy.kraken.cer.segments", 20, "count"),
    ],
)
def test_every_number_has_a_key_and_a_kind(values, key, value, kind):
    assert values[key].value == pytest.approx(value)
    assert values[key].kind == kind


def test_what_is_no_number_and_an_undefined_rate_have_no_key(values, make_result):
    keys = [key for key in values if not key.startswith("books.statistics.")]
    no_numbers = ("significant", "signature", "direction", "kind", "confidence")
    assert not any(part in key for key in keys for part in no_numbers)
    values = read_result_values([make_result({"a": 0.1, "b": None})])
    assert "books.a.cer.micro" in values
    assert "books.b.cer.micro" not in values


def test_names_of_groups_are_made_safe_and_stay_apart(make_result, make_group):
    of = {"a": {"cer": make_group(0.1)}}
    values = read_result_values([make_result({"a": 0.1}, groups={"era": {"18 %": of, "18-": of, "ä\\": of}})])
    assert [key for key in values if key.endswith("micro") and ".by." in key] == [
        "books.by.era.18-.a.cer.micro",
        "books.by.era.-.a.cer.micro",
    ]
    assert "books.by.era.18-.a.cer.micro-2" in values


def test_rates_follow_the_unit_of_the_report():
    assert ResultValue(0.0301, "rate").text(RateFormat(3, "fraction")) == "0.030"
    assert ResultValue(0.0301, "rate").text(RateFormat()) == "3.01"
    assert ResultValue(0.038, "difference").text(RateFormat()) == "+3.80"
    assert ResultValue(0.0001, "pvalue").text(RateFormat()) == "< 0.001"
    assert ResultValue(1234, "count").text(RateFormat()) == "1234"
    assert ResultValue(1.23456, "number").text(RateFormat()) == "1.235"


PAPER = r"""\documentclass{article}
\input{results}
\begin{document}
Rate \misreadvalue{books.pero.cer.micro}\,\%, difference $\misreadvalue{books.kraken-vs-pero.cer.difference}$,
$p$ \misreadvalue{books.kraken-vs-pero.cer.pvalue_adjusted}.
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


def test_signs_are_set_as_mathematics_and_a_rate_is_its_number_alone(three):
    values = {"a": ResultValue(-0.01, "difference"), "b": ResultValue(1e-9, "pvalue"), "c": ResultValue(0.0301, "rate")}
    macros = render_macros(values, RateFormat())
    assert r"\@namedef{misread@a}{\ensuremath{-1.00}}" in macros
    assert r"\@namedef{misread@b}{\ensuremath{< 0.001}}" in macros
    assert r"\@namedef{misread@c}{3.01}" in macros
    first, second = (render_macros(read_result_values([three]), RateFormat()) for _ in range(2))
    assert first == second
