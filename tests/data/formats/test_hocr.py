"""hOCR, by hand in the published layout (kba/hocr-spec) and as Tesseract 5 writes it."""

from time import process_time

import pytest

from misread.data.formats.hocr import read_hocr
from misread.errors import InputFileError

XHTML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"\n'
    ' "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
    '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title></title></head>\n<body>{}</body></html>\n'
)
HTML = '<!DOCTYPE html>\n<html><head><meta name="ocr-system" content="x"></head><body>{}</body></html>'

# A part of what Tesseract 5.3 reads on testing/phototest.tif of tesseract-ocr/test.
TESSERACT = """
  <div class='ocr_page' id='page_1' title='image "unknown"; bbox 0 0 640 90; ppageno 0; scan_res 96 96'>
   <div class='ocr_carea' id='block_1_1' title="bbox 36 32 618 90">
    <p class='ocr_par' id='par_1_1' lang='eng' title="bbox 36 32 618 90">
     <span class='ocr_line' id='line_1_1' title="bbox 36 32 580 62; baseline 0 -6; x_size 30">
      <span class='ocrx_word' id='word_1_1' title='bbox 36 32 96 56; x_wconf 87'>This</span>
      <span class='ocrx_word' id='word_1_2' title='bbox 109 32 129 56; x_wconf 86'><strong>is</strong></span>
     </span>
     <span class='ocr_header' id='line_1_2' title="bbox 36 66 618 90; baseline 0 0">
      <span class='ocrx_word' id='word_1_12' title='bbox 36 72 81 90; x_wconf 82'>ocr</span>
     </span>
    </p>
   </div>
  </div>
"""


def word(name, text, title="bbox 0 0 9 9"):
    return f"<span class='ocrx_word' id='{name}' title='{title}'>{text}</span>"


def page(content):
    return f'<div class="ocr_page" id="p">{content}</div>'


def line(name, text):
    return f'<span class="ocr_line" id="{name}">{text}</span>'


@pytest.mark.parametrize("form", [XHTML, HTML])
def test_lines_and_words_of_tesseract(write, form):
    layout = read_hocr(write("p.hocr", form.format(TESSERACT)), words=True)
    assert layout.text == "This is\nocr"
    assert layout.cut("region") == {"block_1_1": "This is\nocr"}
    assert layout.cut("line") == {"line_1_1": "This is", "line_1_2": "ocr"}
    assert layout.cut("word") == {"word_1_1": "This", "word_1_2": "is", "word_1_12": "ocr"}


@pytest.mark.parametrize("form", [XHTML, HTML])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n   <b>b</b>c <i>d</i>", "a bc d"),
        ("caf&eacute;&nbsp;a&amp;b&lt;&#228;", "café\xa0a&b<ä"),
        ("<b>a<i>b</i>c</b>d", "abcd"),
        ("a<!-- no -->b<br/>c<script>d</script>", "ab c"),
        ("", ""),
    ],
)
def test_text_is_what_a_browser_shows(write, form, text, expected):
    assert read_hocr(write("p.hocr", form.format(page(line("l", text))))).cut("line") == {"l": expected}


@pytest.mark.parametrize(
    ("content", "regions"),
    [
        # Areas are regions, paragraphs in them are not.
        (
            f'<div class="ocr_carea" id="a"><p class="ocr_par" id="p1">{line("l1", "1")}</p>'
            f'<p class="ocr_par" id="p2">{line("l2", "2")}</p></div>',
            {"a": "1\n2"},
        ),
        (
            f'<p class="ocr_par" id="p1">{line("l1", "1")}</p><p class="ocr_par" id="p2">{line("l2", "2")}</p>',
            {"p1": "1", "p2": "2"},
        ),
        (line("l1", "1") + line("l2", "2"), {"p": "1\n2"}),
        # A footer is one as well, of lines or of words.
        (f'<div class="ocr_footer" id="f"><p class="ocr_par" id="q">{line("l1", "1")}</p></div>', {"q": "1"}),
        ('<div class="ocr_footer" id="f"><span class="ocrx_word">1</span></div>', {"f": "1"}),
        # Without lines, what holds words is one.
        (
            '<p class="ocr_par" id="q"><span class="ocrx_word">1</span> <span class="ocrx_word">2</span></p>',
            {"q": "1 2"},
        ),
        ('<span class="ocrx_word">1</span> <span class="ocrx_word">2</span>', {"p": "1 2"}),
        (f'<div class="ocr_carea" id="a"><div>{line("l1", "1")}</div></div>loose', {"a": "1"}),
    ],
)
def test_areas_are_regions_then_paragraphs_then_the_page(write, content, regions):
    assert read_hocr(write("p.html", HTML.format(page(content)))).cut("region") == regions


def test_text_outside_of_lines_is_said(write):
    layout = read_hocr(
        write("p.html", HTML.format("before" + page(line("l1", "a b") + "loose") + page(line("l2", "c"))))
    )
    assert layout.text == "a b\nc"
    assert [(kind, share.example) for kind, share in layout.account.unknown.items()] == [
        ("texts in html/body", "before"),
        ("texts in html/body/div", "loose"),
    ]


def test_pages_of_one_file_are_one_text(write):
    path = write("p.html", HTML.format(page(line("l1", "1")) + page(line("l2", "2"))))
    assert read_hocr(path).text == "1\n2"


def test_html_is_in_the_encoding_that_is_named_and_xhtml_in_its_own(write):
    path = write("p.html", HTML.format(page(line("l", "é"))).encode("latin-1"))
    assert read_hocr(path, encoding="latin-1").text == "é"
    with pytest.raises(InputFileError, match=r"p\.html, line 2: byte 0xe9 is not valid UTF-8"):
        read_hocr(path)
    text = XHTML.replace("UTF-8", "ISO-8859-1").format(page(line("l", "é"))).encode("latin-1")
    assert read_hocr(write("p.hocr", text)).text == "é"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (XHTML.format(page("<b>")), r"p\.hocr, line 5: not well-formed XML"),
        (XHTML.format(page(line("l", "&nowhere;"))), r"line 5: &nowhere; is not an entity of HTML"),
        (HTML.format(page("x"))[:-20], r"line 2: the file ends without </html>; it is cut short"),
        (HTML.format("x"), r"line 1: expected hOCR, but no element has the class ocr_page"),
        (XHTML.format("x"), r"line 1: expected hOCR"),
    ],
)
def test_what_is_not_hocr_or_cut_short_is_refused_with_file_and_line(write, content, message):
    with pytest.raises(InputFileError, match=message):
        read_hocr(write("p.hocr", content))


@pytest.mark.parametrize("tag", ["b", 'div class="ocr_carea"'])
def test_html_nested_without_end_is_refused(write, tag):
    deep = f"<{tag}>" * 300 + "x" + f"</{tag.partition(' ')[0]}>" * 300
    with pytest.raises(InputFileError, match=r"line 2: cannot be read as HTML \(its elements are nested more than 256"):
        read_hocr(write("p.html", HTML.format(page(line("l", deep)))))


@pytest.mark.slow
def test_time_does_not_depend_on_depth_times_length(write):
    content = "<div>" * 200 + "<b>a</b>" * 20_000 + line("l", "one") + "</div>" * 200
    begin = process_time()
    assert read_hocr(write("p.html", HTML.format(page(content)))).text == "one"
    assert process_time() - begin < 5


# As Tesseract 5.3 writes them with hocr_char_boxes=1 and with lstm_choice_mode=2.
BOXED = "\n".join(f"<span class='ocrx_cinfo' title='x_bboxes 0 0 9 9; x_conf 99'>{letter}</span>" for letter in "The")
CHOICES = (
    "The\n <span class='ocrx_cinfo' id='lstm_choices_1_1_1'>\n"
    "  <span class='ocrx_cinfo' id='choice_1_1_1' title='x_confs 93'>T</span>\n"
    "  <span class='ocrx_cinfo' id='choice_1_1_2' title='x_confs 0'>t</span></span>\n"
)


@pytest.mark.parametrize("form", [XHTML, HTML])
@pytest.mark.parametrize("text", [f"\n{BOXED}\n", CHOICES, f"The{BOXED}", f"<em>The</em>{BOXED}"])
def test_characters_with_boxes_and_choices_are_no_text_beside_the_word(write, form, text):
    content = page(line("l", f"{word('w1', text)}\n{word('w2', 'boat')}"))
    layout = read_hocr(write("p.hocr", form.format(content)), words=True)
    assert layout.text == "The boat"
    assert layout.cut("word") == {"w1": "The", "w2": "boat"}
    assert not layout.account.unknown


def test_alternatives_that_are_not_shown_are_no_text(write):
    text = '<span class="alternatives"><ins class="alt">ship</ins><del class="alt">shop</del></span> a<del>b</del>'
    assert read_hocr(write("p.hocr", XHTML.format(page(line("l", text))))).text == "ship ab"


def test_words_are_apart_and_text_of_a_line_outside_of_them_is_read_as_a_browser_shows_it(write):
    words = word("w1", "We") + word("w2", "sailed") + word("w3", "at\n dawn")
    assert read_hocr(write("p.hocr", XHTML.format(page(line("l", words))))).text == "We sailed atdawn"
    content = page(line("l", f"{word('w1', 'We')}, {word('w2', 'sailed')}."))
    assert read_hocr(write("q.hocr", XHTML.format(content))).text == "We, sailed."


@pytest.mark.parametrize(
    "text",
    [
        # Tesseract writes bold and italic words so.
        "<strong><em><span class='ocrx_cinfo' title='x_bboxes 0 0 9 9'>a</span>\n"
        "<span class='ocrx_cinfo' title='x_bboxes 0 0 9 9'>b</span></em></strong>",
        "<span class='ocrx_cinfo'>a</span>\n <span class='ocrx_cinfo'>b</span>",
        "<span class='ocr_glyph'>a</span> <span class='ocr_glyph'>b</span>",
        "<strong>a\n   b</strong>",
    ],
)
def test_a_word_is_its_characters_however_they_are_nested(write, text):
    content = page(line("l", f"{word('w1', text)} {word('w2', 'cd')}"))
    layout = read_hocr(write("p.hocr", XHTML.format(content)), words=True)
    assert (layout.text, layout.cut("word")) == ("ab cd", {"w1": "ab", "w2": "cd"})
    assert not layout.account.unknown


def test_cells_and_paragraphs_without_lines_are_lines(write):
    content = "<table><tr><td>one</td><td><p>two</p>\n<p>three</p></td></tr></table>" + line("l", "four")
    more = "<dl><dt>five</dt><dd>six</dd></dl><section>seven</section><blockquote>eight</blockquote>"
    layout = read_hocr(write("p.hocr", XHTML.format(page(content + more))))
    assert layout.text.replace("\n", " ") == "one two three four five six seven eight"
    assert not layout.account.unknown


def test_a_page_within_a_page_is_read_once(write):
    assert read_hocr(write("p.html", HTML.format(page("<p>one</p>" + page(line("l", "two")))))).text == "one\ntwo"


@pytest.mark.parametrize("swallowed", ["<b>", "s<5<a</<e", "<Kc/Ze»).", "<j@example.org>", "<John Smith>"])
def test_a_text_that_html_takes_for_a_tag_is_named(write, swallowed):
    # pdfminer.six writes texts as they are.
    content = page(line("l", f"{word('w1', 'one')} {word('w2', swallowed)} {word('w3', 'two')}"))
    layout = read_hocr(write("p.html", HTML.format(content)))
    assert [*layout.account.unknown] == ["texts that are like tags"]
    assert layout.text.split()[0] == "one"


def test_characters_that_may_be_choices_are_named_where_a_word_has_no_others(write):
    characters = "".join(f"<span class='ocrx_cinfo' title='x_conf 9'>{letter}</span>" for letter in "ab")
    account = read_hocr(write("p.html", HTML.format(page(line("l", word("w", characters)))))).account
    assert [share.characters for share in account.unknown.values()] == [2]


def test_a_blank_between_words_is_no_word(write):
    content = page(line("l", f"{word('w1', 'one')}{word('w2', ' ')}{word('w3', '')}{word('w4', 'two')}"))
    assert read_hocr(write("p.hocr", XHTML.format(content)), words=True).cut("word") == {
        "w1": "one",
        "w3": "",
        "w4": "two",
    }
