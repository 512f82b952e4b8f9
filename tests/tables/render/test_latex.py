import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from misread.tables import Column, Table, render_latex

NASTY = r'a_b 100% & #{x} \y $z$ <é†> "q" ~ ^ |'
ESCAPED = (
    r"a\_b 100\% \& \#\{x\} \textbackslash{}y \$z\$ \textless{}é$\dagger$\textgreater{} {\char34}q{\char34} "
    r"\textasciitilde{} \textasciicircum{} \textbar{}"
)


@pytest.fixture
def compile_latex(tmp_path):
    """Typeset tables and give back the log."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed: the table is not typeset")

    def compile_tables(*tables, options="10pt", packages=()):
        document = "\n".join(
            [
                rf"\documentclass[{options}]{{article}}",
                r"\usepackage{booktabs}",
                *(rf"\usepackage{package}" for package in packages),
                r"\begin{document}",
                *tables,
                r"\end{document}",
                "",
            ]
        )
        (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "paper.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        log = (tmp_path / "paper.log").read_text(encoding="latin-1")
        assert done.returncode == 0, log
        return log

    return compile_tables


def rows(text):
    return [line for line in text.splitlines() if " & " in line][1:]


def test_names_are_escaped_in_rows_in_the_caption_and_below_the_table(make_paper, make_result):
    result = make_result({"a": 0.1}, not_applicable={"b": "reads 100% of_it"}, excluded=0)
    text = render_latex(make_paper(result, names={"a": NASTY, "books": NASTY}))
    assert rows(text)[0].startswith(ESCAPED + " & ")
    assert rf"\caption{{CER on {ESCAPED} (60 segments" in text
    assert r"Without result: b (reads 100\% of\_it)." in text


def test_words_in_a_title_stand_below_it(compile_latex):
    titles = [
        Column(f"test {number}", lambda row: row, digits=3, detail="(not used for the verdict)") for number in "abcde"
    ]
    text = render_latex(
        Table(caption="One row.", columns=[Column("system", lambda _: "a", kind="name"), *titles], rows=[0.5])
    )
    assert r"\shortstack[r]{test a \\ {\scriptsize(not used for} \\ {\scriptsize the verdict)}}" in text
    assert "Overfull" not in compile_latex(text)


def test_metrics_are_escaped_in_the_header(make_result):
    from misread.tables import ReportSettings, lay_out_rates, make_rate_table

    of = make_result({"a": 0.1})
    of = replace(of, systems={"a": {"a_b_%": of.systems["a"]["cer"]}}, ranking={"a_b_%": of.ranking["cer"]})
    settings = ReportSettings(["a_b_%"])
    text = render_latex(lay_out_rates(make_rate_table(of, "a_b_%", settings), settings))
    assert r"system & a b\,\%\,\% & " in text


def test_a_label_of_ones_own_takes_the_place_of_the_usual_one(make_paper, three):
    text = render_latex(replace(make_paper(three), label="tab:ocr_1"))
    assert "\\label{tab:ocr_1}\n" in text
    assert "tab:books" not in text


def test_a_double_dagger_stands_at_a_p_that_the_interval_contradicts(make_paper, make_result):
    text = render_latex(make_paper(make_result({"a": 0.1, "b": 0.2}, {("a", "b"): 0.06})))
    assert r"0.060\rlap{{$^\ddagger$}} \\" in text
    assert r"$\ddagger$: interval and p disagree on a difference" in text


def test_a_label_holds_letters_digits_and_dashes_only(make_paper, make_result):
    text = render_latex(make_paper(make_result({"a": 0.1}, dataset=r"a_b%c#{d}\e")))
    assert re.search(r"\\label\{tab:a-b-c-d-e-[0-9a-f]{10}-cer\}", text)


@pytest.mark.parametrize("name", ["[new] kraken", "*best*"])
def test_a_name_is_not_taken_for_an_argument_of_the_row_above(make_paper, make_result, name):
    text = render_latex(make_paper(make_result({"a": 0.1, "b": 0.2}), names={"b": name}))
    assert rows(text)[1][0] == "{"


def test_the_best_is_bold_and_the_others_are_not(make_paper, make_result):
    text = render_latex(make_paper(make_result({"a": 0.3, "b": 0.1})))
    assert rows(text)[0].startswith(r"\textbf{b} & \textbf{10.00} & ")
    assert r"\textbf" not in rows(text)[1]


def test_a_table_is_ascii_with_as_many_cells_in_every_row_a_dagger_and_a_signature_that_may_break(make_paper, three):
    text = render_latex(make_paper(three))
    assert text.isascii()
    head = next(line for line in text.splitlines() if line.startswith("system"))
    assert {line.count(" & ") for line in rows(text)} == {head.count(" & ")} == {7}
    assert [line.count(r"\rlap{{$^\dagger$}}") for line in rows(text)] == [0, 1, 0]
    # A p-value is never shown as zero.
    assert "$< 0.001$" not in rows(text)[1]
    assert "0.000" not in text
    assert text.count(r"\textbar{}\allowbreak{}") == str(three.signature).count("|")
    assert text == render_latex(make_paper(three))


def test_a_table_is_typeset_without_an_overfull_box(compile_latex, make_paper, three, make_result, make_rate):
    counts = {"errors": 31331, "length": 222303, "substitutions": 15960, "deletions": 11797, "insertions": 3574}
    rates = {"Tesseract 4": 0.5624, "pero": 0.15}
    large = make_result({name: replace(make_rate(rate), counts=counts) for name, rate in rates.items()})
    log = compile_latex(render_latex(make_paper(three)), render_latex(make_paper(large)))
    assert re.findall(r"^Overfull.*", log, flags=re.MULTILINE) == []


def test_a_table_spans_the_columns_of_a_page_without_an_overfull_box(compile_latex, make_paper, three):
    log = compile_latex(render_latex(make_paper(three)), options="10pt,twocolumn")
    assert re.findall(r"^Overfull.*", log, flags=re.MULTILINE) == []


def test_any_name_and_any_gap_can_be_typeset(compile_latex, make_paper, make_result):
    named = make_result({"a": 0.1, "b": 0.2, "c": 0.3}, dataset=NASTY, not_applicable={NASTY: NASTY})
    names = {"a": NASTY, "b": "[new]", "c": "*best*"}
    compile_latex(
        render_latex(make_paper(named, names=names)),
        render_latex(make_paper(make_result({"a": 0.1, "b": 0.2}, with_interval=False))),
        render_latex(make_paper(make_result({"a": 0.1}))),
        render_latex(make_paper(make_result({"a": None}))),
    )


def test_letters_of_every_script_are_typeset_or_named(compile_latex, make_paper, make_result):
    latin = "".join(map(chr, (*range(0xA1, 0xAD), *range(0xAE, 0x180))))
    others = "العربية 中文 हिन्दी ქართული עברית Ω ж ’ 😀 e\u0301 \u200b\u00ad\u00a0"
    names = {"a": latin[:90], "b": latin[90:], "c": others}
    text = render_latex(make_paper(make_result({"a": 0.1, "b": 0.2, "c": 0.3}), names=names))
    compile_latex(text, packages=["[T1]{fontenc}"])
    assert r"U+4E2D U+6587\else 中文\fi" in text


def test_numbers_can_be_aligned_by_siunitx(compile_latex, make_paper, make_result, three):
    if not shutil.which("kpsewhich") or not subprocess.run(["kpsewhich", "siunitx.sty"], capture_output=True).stdout:
        pytest.skip("siunitx is not installed: the table is not typeset")
    bold, dagger = make_paper(make_result({"a": 0.3, "b": 0.1})), make_paper(three)
    texts = [render_latex(table, siunitx=True) for table in (bold, dagger)]
    assert "S[table-format=2.2," in texts[0]
    assert rows(texts[0])[0].startswith(r"\textbf{b} & \bfseries 10.00 & ")
    assert r"3.81{$^\dagger$} & " in rows(texts[1])[1]
    log = compile_latex(*texts, packages=["{siunitx}"])
    assert re.findall(r"^Overfull.*", log, flags=re.MULTILINE) == []


def test_signs_of_any_text_are_typeset(compile_latex):
    signs = list("␣∅'`–-,?!’“”—…_|{}[*漢\u2068א\u2069◌\u0301 ^~\\\"$&#%<>†é")
    table = Table(stem="signs", caption="Signs.", columns=[Column("sign", kind="sign")], rows=signs, signature="s")
    log = compile_latex(render_latex(table), packages=["[T1]{fontenc}"])
    assert "undefined" not in log
