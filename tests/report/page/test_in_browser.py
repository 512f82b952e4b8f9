"""The page as people use it: a file in a real browser, with the network off."""

import re
from dataclasses import replace

import pytest

from misread.report.report_input import RenderedFiles
from misread.tables import lay_out_rates, make_rate_table
from misread.tally import ScoredSystem

from .conftest import report_settings


@pytest.fixture(scope="module")
def html(books, html_of):
    return html_of(books, params={"normalizer": {"name": "whitespace"}})


@pytest.fixture(scope="module")
def hostile(run_on, html_of):
    text = "</script><img src=x onerror=alert(1)>"
    names = ["</td><script>alert(2)</script>", '"><svg onload=alert(3)>', "{{ 7 * 7 }}"]
    hypotheses = {"a": [text, "x' onclick='alert(4)", "--><b>"], "b": [f"{text}!", None, "-->"]}
    made = run_on([text, "x", "--><b>"], hypotheses, ids=names, groups={"<i>": ["<b>", "&amp;", "javascript:alert(5)"]})
    settings = report_settings()
    return html_of(made, settings=type(settings)(["cer"], names={"a": "<script>alert(6)</script>"}))


def test_it_opens_from_a_file_without_a_request_or_a_complaint(html, open_tab):
    tab = open_tab(html)
    assert tab.complaints == []
    assert [url for url in tab.requests if not url.startswith(("file:", "data:"))] == []
    assert tab.count() == "40 of 40"


def test_a_column_sorts_in_both_directions_and_the_order_is_in_the_address(html, open_tab):
    tab = open_tab(html)
    names = lambda: tab.page.locator("#table-books\\.cer tbody th").all_inner_texts()  # noqa: E731
    assert names() == ["PERO", "tesseract4", "kraken"]
    header = tab.page.locator("#table-books\\.cer th[data-sort=rate]")
    header.locator("button").click()
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert names() == ["kraken", "tesseract4", "PERO"]
    assert "order=books.cer" in tab.page.url
    tab.page.reload()
    assert names() == ["kraken", "tesseract4", "PERO"]


def test_filters_by_case_kind_and_group_narrow_the_list(html, open_tab):
    tab = open_tab(html)
    tab.page.click("button:has-text('all wrong the same way')")
    tab.wait_for_count("1 of 40")
    assert tab.ids() == ["line-007"]
    tab.page.click("text=Clear filters")
    tab.wait_for_count("40 of 40")
    tab.page.click("[aria-label='Segments with insertions']")
    tab.wait_for_count("24 of 40")
    tab.page.select_option("label:has-text('print') select", label="faded (10)")
    tab.wait_for_count("6 of 40")
    assert "filter=kind:I&filter=in:print:faded" in tab.page.url


def test_a_pair_of_the_matrix_leads_to_its_segments(html, open_tab):
    tab = open_tab(html)
    tab.page.locator(".pairs a").first.click()
    tab.page.wait_for_function("() => location.hash.includes('wrong%3A')")
    tab.page.wait_for_function("() => document.querySelector('#found').textContent !== '40 of 40'")


def test_a_confusion_leads_to_its_segments(html, open_tab):
    tab = open_tab(html)
    row = tab.page.locator(".confusions tr", has_text="à").first
    times = row.locator("a").inner_text()
    row.locator("a").click()
    tab.wait_for_count(f"{times} of 40")


def test_a_cell_of_errors_against_errors_leads_to_its_segments(html, open_tab):
    tab = open_tab(html)
    tab.page.click("text=errors of one system against errors of another")
    cells = tab.page.locator(".scatter td button")
    cells.first.wait_for()  # drawn by the event of the opening, which follows the click
    assert sum(int(text) for text in cells.all_inner_texts()) == 40
    cell = cells.first
    count = cell.inner_text()
    cell.press("Enter")
    tab.wait_for_count(f"{count} of 40")
    assert "filter=both:pero:tesseract4:" in tab.page.url
    assert tab.page.locator(".scatter [aria-pressed=true]").count() == 1
    tab.page.locator(".scatter [aria-pressed=true]").press("Enter")
    tab.wait_for_count("40 of 40")
    assert tab.complaints == []


def test_an_area_that_is_dragged_over_leads_to_its_segments(html, open_tab):
    tab = open_tab(html)
    tab.page.click("text=errors of one system against errors of another")
    tab.page.drag_and_drop(".scatter td[data-x='0'][data-y='0']", ".scatter td[data-x='1'][data-y='0']")
    tab.page.wait_for_function("() => location.hash.includes('both:pero:tesseract4:0-1:0-0')")
    shown = [int(tab.page.inner_text(f".scatter td[data-x='{x}'][data-y='0']") or 0) for x in (0, 1)]
    tab.wait_for_count(f"{sum(shown)} of 40")


def test_the_search_knows_phrases_patterns_and_fields(html, open_tab):
    tab = open_tab(html)
    for query, found in {
        "n. 11": "1 of 40",
        r"/n\. 1[0-4]/": "5 of 40",
        "ref:Poix": "0 of 40",
        "pero:Poix": "1 of 40",
        "id:line-00": "10 of 40",
        "err>20": "1 of 40",
        "print:faded book:book-0": "3 of 40",
    }.items():
        tab.page.fill("input[type=search]", query)
        tab.wait_for_count(found)


def test_a_broken_pattern_is_said_and_finds_nothing(html, open_tab):
    tab = open_tab(html)
    tab.page.fill("input[type=search]", "/(/")
    tab.wait_for_count("0 of 40")
    assert tab.page.get_attribute("input[type=search]", "aria-invalid") == "true"
    assert "Unterminated group" in tab.page.inner_text(".found")
    assert tab.complaints == []


def test_a_link_opens_the_segment_systems_and_filter_it_names(html, open_tab):
    tab = open_tab(html, address="#segment=line-021&system=tesseract4&filter=kind:S")
    tab.wait_for_count("20 of 40")
    current = tab.page.locator("[aria-current=true]")
    assert current.locator("h4").inner_text() == "line-021"
    assert current.locator("tr th").all_inner_texts() == ["reference", "tesseract4"]
    link = current.locator("a[title='Link to this segment']").get_attribute("href")
    assert "segment=line-021" in link
    assert "system=tesseract4" in link


def test_a_link_to_an_unknown_segment_is_answered(html, open_tab):
    tab = open_tab(html, address="#segment=line-999")
    assert "“line-999” is not in this report" in tab.page.inner_text(".found")


def test_the_keyboard_alone_reaches_everything(html, open_tab):
    tab = open_tab(html)
    press = tab.page.keyboard.press
    press("j")
    press("j")
    assert tab.page.evaluate("document.activeElement.querySelector('h4').textContent") == tab.ids()[1]
    press("k")
    assert tab.page.locator("[aria-current=true] h4").inner_text() == tab.ids()[0]
    press("n")
    assert tab.page.locator(".mark.here").count() == 1
    press("2")
    tab.page.wait_for_function("() => location.hash.includes('system=pero,kraken')")
    press("c")
    tab.page.wait_for_function("() => location.hash.includes('unit=words')")
    press("?")
    assert tab.page.locator("dialog[open]").count() == 1
    press("Escape")
    assert tab.page.locator("dialog[open]").count() == 0
    press("/")
    tab.page.keyboard.type("n. 30")
    tab.wait_for_count("1 of 40")


def test_the_browser_draws_the_grid_that_is_printed(html, open_tab):
    tab = open_tab(html)
    read = """root => [...root.querySelectorAll('.grid tr')].map(row =>
        [...row.cells].map(cell => [cell.className, cell.colSpan, cell.textContent, cell.title].join('|')).join(' '))"""
    for segment in tab.page.locator("#static-segments .segment").all()[:5]:
        name = segment.locator("h4").text_content()
        printed = segment.evaluate(read)
        tab.page.evaluate(f"location.hash = 'segment={name}'")
        tab.page.wait_for_function(
            "name => document.querySelector('[aria-current=true] h4')?.textContent === name", arg=name
        )
        drawn = tab.page.locator("[aria-current=true]").evaluate(read)
        assert drawn == printed


def test_every_reading_of_a_reference_has_a_grid(run_on, html_of, open_tab):
    hypotheses = {"a": ["so um goo"], "b": ["so gp"]}
    tab = open_tab(html_of(run_on(["so { um / uh / @ } go"], hypotheses, alternatives="references")))
    read = "root => [...root.querySelectorAll('.grid tr')].map(row => row.textContent)"
    printed = tab.page.locator("#static-segments .segment").first.evaluate(read)
    tab.page.evaluate("location.hash = 'segment=line-000'")
    tab.page.wait_for_function("() => document.querySelector('[aria-current=true] .grid')")
    drawn = tab.page.locator("[aria-current=true]").evaluate(read)
    assert drawn == printed
    assert sum(row.startswith("reference") for row in drawn) == 2


def test_what_cannot_be_seen_is_named_alike_in_browser_and_print(run_on, html_of, open_tab):
    odd = ["a b", "a\ue002b", "e\u0301x", "a\u00a0b", "a\u200db", "שלום", "\U0001f469\u200d\U0001f52c"]
    made = run_on(odd, {"a": ["ab", "ab", "ex", "ab", "ab", "שלם", "x"], "b": odd})
    tab = open_tab(html_of(made), address="#sort=order")
    read = "root => [...root.querySelectorAll('.mark')].map(mark => mark.textContent + mark.title)"
    printed = {
        of.locator("h4").text_content(): of.evaluate(read) for of in tab.page.locator("#static-segments .segment").all()
    }
    drawn = {of.locator("h4").text_content(): of.evaluate(read) for of in tab.page.locator(".stack .segment").all()}
    assert len(drawn) >= 4
    assert drawn == {name: printed[name] for name in drawn}


def test_a_long_text_is_folded_and_makes_room_when_unfolded(run_on, html_of, open_tab):
    made = run_on(["word " * 200, "short"], {"a": ["word " * 199 + "x", "shor"], "b": ["word " * 200, "short"]})
    tab = open_tab(html_of(made))
    gap = """() => { const [one, other] = document.querySelectorAll('.stack > li');
        return other.getBoundingClientRect().top - one.getBoundingClientRect().bottom; }"""
    height = "() => document.querySelector('.stack > li').offsetHeight"
    before = tab.page.evaluate(height)
    tab.page.click("summary:has-text('text of the reference')")
    tab.page.wait_for_function(f"before => ({height})() > before + 20", arg=before)
    tab.page.wait_for_function(f"() => Math.abs(({gap})()) < 1")


def test_missing_and_empty_outputs_are_two_things(html, open_tab):
    tab = open_tab(html, address="#filter=case:no_output&sort=order")
    tab.wait_for_count("2 of 40")
    shown = tab.page.locator(".stack .segment").all_inner_texts()
    assert "kraken — (no output): the image is cut short" in shown[0]
    assert "kraken ∅ (empty)" in shown[1]


def test_only_what_is_in_sight_is_in_the_document(run_on, html_of, open_tab):
    references = [f"line {number}" for number in range(3000)]
    hypotheses = {"a": references, "b": [text.replace("line", "lime") for text in references]}
    tab = open_tab(html_of(run_on(references, hypotheses)), address="#sort=order")
    assert tab.page.locator(".stack > li").count() <= 60
    tab.page.evaluate("document.querySelector('.pane').scrollTop = 1e9")
    tab.page.wait_for_function("() => document.querySelector('.stack > li:last-child h4')?.textContent === 'line-2999'")
    assert tab.page.locator(".stack > li").count() <= 60


def test_names_and_texts_from_outside_run_nothing(hostile, open_tab):
    tab = open_tab(hostile, address="#unit=words&view=full")
    tab.page.locator("summary").first.click()
    tab.page.wait_for_timeout(100)
    assert tab.complaints == []
    assert tab.page.locator("img, b, i, script:not([type]):not(:last-of-type)").count() == 0
    assert "</script><img src=x onerror=alert(1)>" in tab.page.inner_text(".stack")
    assert "<script>alert(6)</script>" in tab.page.inner_text(".results")
    assert "{{ 7 * 7 }}" in tab.page.inner_text(".stack")


def test_dark_follows_the_system(html, open_tab):
    light, dark = (
        open_tab(html, color_scheme=scheme).page.evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    )
    brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (light, dark)]
    assert brightness[0] > 700
    assert brightness[1] < 100


def test_print_shows_the_chosen_segments_in_place_of_the_explorer(html, open_tab):
    tab = open_tab(html)
    assert not tab.page.is_visible("#static-segments")
    tab.page.emulate_media(media="print")
    assert tab.page.is_visible("#static-segments .segment >> nth=0")
    assert not tab.page.is_visible("#explorer")
    assert tab.page.pdf(format="A4").startswith(b"%PDF")


def test_without_a_script_tables_and_the_chosen_segments_are_there(html, open_tab):
    tab = open_tab(html, script=False)
    assert tab.page.is_visible(".results >> nth=0")
    assert tab.page.is_visible("#static-segments .segment >> nth=0")
    assert tab.page.locator("#static-segments .segment").count() == 20
    assert "needs JavaScript" in tab.page.inner_text("#segments")
    assert not tab.page.is_visible("#explorer")
    assert not tab.page.is_visible("button:has-text('Copy as LaTeX')")
    assert tab.page.is_visible("a:has-text('LaTeX file') >> nth=0")


def test_a_table_is_copied_as_it_stands_in_the_file(html, open_tab):
    tab = open_tab(html, permissions=["clipboard-read", "clipboard-write"])
    tab.page.locator("button:has-text('Copy as LaTeX')").first.click()
    tab.page.wait_for_selector("button:has-text('Copied')")
    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("\\begin{table*}")
    assert "PERO" in copied


@pytest.mark.parametrize(("scheme", "rules"), [("light", None), ("dark", ["color-contrast"])])
def test_axe_finds_nothing_serious(books, html_of, open_tab, axe, scheme, rules):
    settings = report_settings(static_segments=1)
    further = replace(lay_out_rates(make_rate_table(books.comparison, "cer", settings), settings), stem="further")
    html = html_of(books, rendered={"books": RenderedFiles([further])}, settings=settings, params={"seed": 1})
    tab = open_tab(html, color_scheme=scheme)
    tab.page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
    tab.page.locator(".scatter td button").first.wait_for()
    tab.page.keyboard.press("j")
    tab.page.evaluate(axe)
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = tab.page.evaluate("options => axe.run(options)", options)["violations"]
    serious = [
        (rule["id"], [node["html"][:120] for node in rule["nodes"]][:3])
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_an_image_inside_the_page_is_shown_and_a_large_one_is_linked(run_on, html_of, open_tab, tmp_path):
    from PIL import Image

    small, large = tmp_path / "small.png", tmp_path / "large image.png"
    Image.new("L", (30, 10)).save(small)
    Image.effect_noise((300, 300), 90).save(large)
    media = {"line-000": small, "line-001": large}
    made = run_on(["one", "two"], {"a": ["on", "tw"], "b": ["one", "two"]}, media=media)
    tab = open_tab(html_of(made, settings=report_settings(media_bytes=20_000)))
    tab.page.wait_for_function("() => document.querySelector('.stack img.medium').naturalWidth === 30")
    assert (
        tab.page.locator(".stack a:has-text('Image of this segment')")
        .get_attribute("href")
        .endswith("large%20image.png")
    )


def test_a_text_from_right_to_left_keeps_its_direction(run_on, html_of, open_tab):
    made = run_on(["שלום עולם", "abc"], {"a": ["שלוס עולם", "abd"], "b": ["שלום עולס", "abc"]})
    tab = open_tab(html_of(made), address="#segment=line-000")
    assert tab.page.locator("[aria-current=true] .grid").first.get_attribute("dir") == "rtl"
    assert (
        tab.page.evaluate("getComputedStyle(document.querySelector('[aria-current=true] .plain')).direction") == "rtl"
    )


@pytest.mark.parametrize("case", ["one system", "all exact", "two data sets", "nothing"])
def test_unusual_runs_open_without_a_complaint(run_on, books, html_of, open_tab, case):
    pages = {
        "one system": lambda: html_of(run_on(["ab", "cd"], {"a": ["ab", "ce"]})),
        "all exact": lambda: html_of(run_on(["ab"], {"a": ["ab"], "b": ["ab"]})),
        "two data sets": lambda: html_of(books, run_on(["ab"], {"a": ["ax"], "b": ["ab"]}, dataset="maps")),
        "nothing": html_of,
    }
    tab = open_tab(pages[case]())
    assert tab.complaints == []
    tab.page.keyboard.press("j")
    assert tab.complaints == []


def test_a_segment_copied_as_markdown_names_itself_without_marks(run_on, html_of, open_tab):
    made = run_on(["a ```` b", "x"], {"a": ["a ```` c", "x"]}, ids=["*i*<b>|`1`", "2"])
    tab = open_tab(html_of(made), permissions=["clipboard-read", "clipboard-write"], address="#unit=words")
    tab.page.locator(".stack .tools button").first.click()
    tab.page.wait_for_function("() => document.querySelector('#announcer').textContent.endsWith('copied')")
    title, _, fence, *_, last = tab.page.evaluate("navigator.clipboard.readText()").rstrip("\n").split("\n")
    assert title.startswith(r"**\*i\*\<b\>\|\`1\`** (books) · a ")
    assert (fence, last) == ("`````", "`````")


def test_every_active_filter_has_a_chip_that_removes_it(html, open_tab):
    filters = ("kind:S", "wrong:tesseract4:pero", "in:print:clean", "both:pero:tesseract4:0-0:1-9", "read:kraken:x:y")
    address = f"#system=pero,tesseract4&search=rue&filter={'&filter='.join(filters)}"
    tab = open_tab(html, address=address)
    chips = tab.page.locator(".active button")
    assert [text.removesuffix(" ✕") for text in chips.all_inner_texts()] == [
        "only PERO, tesseract4",
        "substitutions",
        "tesseract4 wrong, PERO right",
        "print: clean",
        "errors of PERO: 0, of tesseract4: 1–9",
        "kraken: x read as y",
        "search: rue",
    ]
    for left in range(6, -1, -1):
        chips.last.press("Enter")
        tab.page.wait_for_function("left => document.querySelectorAll('.active button').length === left", arg=left)
    tab.wait_for_count("40 of 40")
    assert not tab.page.is_visible(".active")
    assert "filter=" not in tab.page.url
    assert tab.complaints == []


def test_a_filter_that_is_not_known_can_be_removed(html, open_tab):
    tab = open_tab(html, address="#filter=in:colour:red")
    chip = tab.page.locator(".active button")
    assert chip.inner_text() == "unknown filter: in:colour:red ✕"
    chip.click()
    tab.page.wait_for_function("() => !location.hash.includes('filter')")


def test_the_verdict_is_in_view_on_a_phone(html, open_tab):
    tab = open_tab(html, viewport={"width": 390, "height": 844})
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 390
    table = tab.page.locator("#table-books\\.cer")
    for verdict in table.locator("tbody .verdict:visible").all():
        box = verdict.bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= 390
    assert "errors/N" not in table.inner_text()
    tab.page.get_by_label("all columns").first.check()
    assert "errors/N" in table.inner_text()


@pytest.mark.parametrize(
    ("unit", "added"), [("characters", "abcdefghij" * 60), ("words", "abcdefghij" * 60), ("words", "w " * 300)]
)
@pytest.mark.parametrize("width", [390, 1000])
def test_a_long_insertion_stays_in_its_pane(run_on, html_of, open_tab, unit, added, width):
    made = run_on(["one two", "three"], {"a": [f"one two {added}", "three"], "b": ["one two", "thre"]})
    tab = open_tab(html_of(made), address=f"#unit={unit}", viewport={"width": width, "height": 800})
    beyond = "one => one.scrollWidth - one.clientWidth"
    assert tab.page.locator(".pane").evaluate(beyond) == 0
    assert {grid.evaluate(beyond) for grid in tab.page.locator(".pane .grids").all()} == {0}


def test_flagged_segments_are_a_case_and_say_why(run_on, html_of, open_tab):
    texts = ["we meet at ten", "good night"]
    made = run_on(texts, {"a": texts, "b": ["we meet at ten at ten at ten at ten at ten", "good night"]})
    scored = {system: ScoredSystem(of, [], "error") for system, of in made.texts.items()}
    tab = open_tab(html_of(replace(made, scored=scored)))
    tab.page.click(".chips button:has-text('loops')")
    tab.wait_for_count("1 of 2")
    assert "⚑ loops, characters 7 to 42: ' at ten' 5 times" in tab.page.locator("#explorer article").inner_text()
    assert tab.complaints == []
