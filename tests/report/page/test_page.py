"""The page as text: what is in it, and what is escaped."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from urllib.parse import quote

import pytest

from misread.errors import ConfigurationError
from misread.report import ReportInput
from misread.report.page import choice, write_page
from misread.report.page.payload import unpack
from misread.report.report_input import RenderedFiles
from misread.tables import Column, PageSettings, Table, lay_out_rates, make_rate_table

from .conftest import report_settings


class Elements(HTMLParser):
    """Tags and attributes, as a browser would find them."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.fixture(scope="module")
def html(books, html_of):
    return html_of(books)


def test_the_same_run_gives_the_same_bytes(html, books, html_of):
    assert html_of(books) == html


def test_only_its_own_script_and_style_are_allowed(html):
    policy = next(of["content"] for tag, of in Elements(html).found if of.get("http-equiv"))
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL).group(1)
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL).group(1)
    for directive, content in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_nothing_is_fetched_and_nothing_is_styled_or_scripted_in_attributes(html):
    for tag, attributes in Elements(html).found:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
        if "src" in attributes:
            assert attributes["src"].startswith("data:")


def test_a_page_without_room_for_all_segments_has_those_that_its_tables_name(monkeypatch, books, html_of):
    monkeypatch.setattr(choice, "WORST", 1)
    monkeypatch.setattr(choice, "SAMPLE", 1)
    table = Table(columns=[Column("segment")], rows=["line-030"], segments=["line-030"])

    def ids(*tables):
        html = html_of(books, rendered={"books": RenderedFiles(tables)})
        return unpack(re.search(r'id="index-0"[^>]*>([^<]*)<', html).group(1))["ids"]

    without = ids()
    assert len(without) == 2
    assert {*ids(table)} == {*without, "line-030"} != {*without}


def test_names_and_texts_from_outside_stay_texts(run_on, html_of):
    hostile = "</script><img src=x onerror=alert(1)>"
    made = run_on(
        [hostile, "b"],
        {"a": [hostile + "!", "x"], "b": ["", "y"]},
        ids=[hostile, "'\"&"],
        groups={hostile: [hostile, ""]},
    )
    settings = replace(report_settings(), names={"a": hostile, "books": hostile})
    plain = html_of(run_on(["a", "b"], {"a": ["a!", "x"], "b": ["", "y"]}, groups={"g": ["h", ""]}))
    html = html_of(made, settings=settings, params={"systems": {"a": hostile}})
    tags = lambda of: sorted({tag for tag, _ in Elements(of).found})  # noqa: E731
    assert tags(html) == tags(plain)
    assert "onerror=alert(1)>" not in html


def test_signature_versions_parameters_and_what_is_missing_are_shown(books, html_of):
    comparison = replace(books.comparison, not_applicable={"vlm": "it reads audio only"})
    made = replace(books, comparison=comparison, without_media="there is no file lines.csv")
    html = html_of(made, params={"normalizer": {"steps": ["collapse_whitespace"]}})
    assert str(books.comparison.systems["pero"]["cer"].signature) in html
    assert "engine 1.0" in html
    assert "- collapse_whitespace" in html
    assert "no file lines.csv" in html
    assert re.search(r'class="failed".*vlm.*it reads audio only', html)


def test_outputs_that_failed_are_a_column_of_every_table_of_rates_where_there_are_some(run_on, html, html_of):
    tables = re.findall(r'<table class="results.*?</table>', html, re.DOTALL)
    assert len(tables) == 2
    for table in tables:
        assert "<bdi>failed</bdi>" in table
        assert "<bdi>missing</bdi>" not in table
    assert "<bdi>failed</bdi>" not in html_of(run_on(["one", "two"], {"a": ["one", "tow"], "b": ["one", "two"]}))


def test_a_figure_is_inside_and_a_missing_one_is_named(books, html_of, tmp_path):
    (tmp_path / "books_cer.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    html = html_of(
        books, rendered={"books": RenderedFiles(figures=[tmp_path / "books_cer.svg", tmp_path / "gone.svg"])}
    )
    assert "data:image/svg+xml;base64," in html
    assert "The figure gone.svg is missing" in html


def test_tables_that_the_page_has_no_form_for_are_shown_as_in_their_files(books, html_of):
    settings = report_settings()
    table = lay_out_rates(make_rate_table(books.comparison, "wer", settings), settings)
    fairness = replace(table, stem="books_cer_fairness_print", caption="Fairness <of> books.")
    html = html_of(books, rendered={"books": RenderedFiles([table, fairness])})
    assert html.count('class="misread-table"') == 1
    assert "<summary>Fairness &lt;of&gt; books.</summary>" in html


def test_without_texts_there_are_tables_and_without_results_the_page_says_so(books, html_of):
    html = html_of(replace(books, texts={}, alignments={}))
    assert "table-books.cer" in html
    assert "There are no texts to browse" in html
    assert 'id="index-0"' not in html
    html = html_of()
    assert "There are no results yet." in html
    assert "<table" not in html


@pytest.mark.slow
def test_too_many_segments_are_cut_to_the_size_and_it_is_said(run_on, html_of):
    references = [hashlib.shake_256(str(number).encode()).hexdigest(700) for number in range(450)]
    made = run_on(references, {"a": references})
    html = html_of(made, settings=report_settings(max_bytes=1_000_000))
    assert len(html.encode()) <= 1_000_000
    assert re.search(r"The explorer shows [\d,]+ of 450 segments", html)


def test_a_file_is_written(books, tmp_path):
    write_page(ReportInput([books]), {}, report_settings(), tmp_path / "reports" / "index.html")
    assert (tmp_path / "reports" / "index.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("setting", [{"max_bytes": 10}, {"media_bytes": -1}, {"static_segments": -1}])
def test_sizes_that_make_no_sense_are_refused(setting):
    with pytest.raises(ConfigurationError, match=next(iter(setting))):
        PageSettings(**setting)


def test_names_act_on_nothing_and_texts_stay_whole(run_on, html_of):
    text = "\u202erue\u200f de la Paix"
    system = "a\x1b[2J\nb"
    made = run_on(
        [text, "x"],
        {system: [f"{text}!", "y"], "b": [text, None]},
        ids=["\u202ei\n1", "\x9b2"],
        clusters=["\u2066c\r", "d"],
        groups={"col\x1b\numn": ["\u202elevel", "=1+1"]},
    )
    settings = type(report_settings())(["cer"], names={"b": "\u202eB\x1b"})
    page = html_of(made, settings=settings, params={"systems": {"a": "\u202e1\x1b"}})
    assert not set("\x1b\x9b\r\u2066") & set(page)
    assert f'<p class="plain" dir="auto">{text}</p>' in page
    with_marks = [line for line in page.splitlines() if "\u202e" in line]
    assert all(line.startswith(('<p class="plain"', '<tr class="reference"')) for line in with_marks)
    index = unpack(re.search(r'id="index-0"[^>]*>([^<]+)<', page)[1])
    assert index["ids"] == [r"\u202ei\n1", r"\x9b2"]
    assert index["columns"][1] == {"name": r"col\x1b\numn", "values": [r"\u202elevel", "=1+1"], "codes": [0, 1]}
    assert {of["name"] for of in index["systems"]} == {r"a\x1b[2J\nb", r"\u202eB\x1b"}
    address = quote(r"in:col\x1b\numn:\u202elevel", safe="/")
    assert f'filter={address}"' in page
