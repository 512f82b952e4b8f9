"""PAGE-XML, by hand in the published layout (PRImA-Research-Lab/PAGE-XML) and from real tools."""

import pytest

from misread.data.formats.page_areas import _part, read_page_areas
from misread.data.formats.page_xml import read_page_xml
from misread.errors import InputFileError


def equiv(text, attributes=""):
    return f"<TextEquiv{attributes}><Unicode>{text}</Unicode></TextEquiv>"


def line(name, text, attributes="", points="0,0 9,0 9,1 0,1"):
    return f'<TextLine id="{name}"{attributes}><Coords points="{points}"/>{equiv(text)}</TextLine>'


def text_line(*content):
    return f'<TextLine id="l">{"".join(content)}</TextLine>'


def region(name, *content, attributes="", kind="TextRegion"):
    return f'<{kind} id="{name}"{attributes}><Coords points="0,0 9,9"/>{"".join(content)}</{kind}>'


def lines_of(*names, **attributes):
    return [line(name, name, **attributes) for name in names]


A, B, C, D = (region(name, line(f"l{name}", name.upper())) for name in "abcd")


@pytest.mark.parametrize(
    "version", ["2010-03-19", "2013-07-15", "2016-07-15", "2017-07-15", "2018-07-15", "2019-07-15"]
)
def test_every_version_is_read(page_xml, version):
    assert read_page_xml(page_xml(A, version=version)).text == "A"


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("", "A B C D"),
        # The index decides, not the place in the group.
        (
            '<OrderedGroup id="g"><RegionRefIndexed index="2" regionRef="a"/>'
            '<RegionRefIndexed index="10" regionRef="b"/>'
            '<RegionRefIndexed index="0" regionRef="d"/><RegionRefIndexed index="1" regionRef="c"/></OrderedGroup>',
            "D C A B",
        ),
        (
            '<UnorderedGroup id="g"><RegionRef regionRef="c"/><OrderedGroup id="h">'
            '<RegionRefIndexed index="1" regionRef="a"/><RegionRefIndexed index="0" regionRef="d"/></OrderedGroup>'
            '<RegionRef regionRef="b"/></UnorderedGroup>',
            "C D A B",
        ),
        (
            '<OrderedGroup id="g"><UnorderedGroupIndexed index="1" id="h"><RegionRef regionRef="b"/>'
            '<RegionRef regionRef="a"/></UnorderedGroupIndexed><OrderedGroupIndexed index="0" id="i">'
            '<RegionRefIndexed index="1" regionRef="c"/><RegionRefIndexed index="0" regionRef="d"/>'
            "</OrderedGroupIndexed></OrderedGroup>",
            "D C B A",
        ),
    ],
)
def test_regions_are_in_reading_order_with_its_groups(page_xml, order, expected):
    order = order and f"<ReadingOrder>{order}</ReadingOrder>"
    assert read_page_xml(page_xml(order + A + B + C + D)).text.split() == expected.split()


def test_what_the_reading_order_lacks_follows_and_is_said(page_xml):
    order = (
        '<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="0" regionRef="c"/>'
        '<RegionRefIndexed index="1" regionRef="nowhere"/></OrderedGroup></ReadingOrder>\n'
    )
    layout = read_page_xml(page_xml(order + A + B + C))
    assert layout.text == "C\nA\nB"
    assert [*layout.account.notes()] == [
        "PAGE-XML: entries of the reading order that name no region, passed over: 1 (the first in p1.xml, line 4).",
        "PAGE-XML: regions outside of the reading order, read after all others: 2 (the first in p1.xml, line 5).",
    ]


def test_regions_inside_others_follow_them_unless_the_order_names_them(page_xml):
    table = region("t", C, D, kind="TableRegion")
    assert read_page_xml(page_xml(table + A)).text == "C\nD\nA"
    order = (
        '<ReadingOrder><OrderedGroup id="g"><OrderedGroupIndexed index="1" id="h" regionRef="t">'
        '<RegionRefIndexed index="0" regionRef="d"/></OrderedGroupIndexed>'
        '<RegionRefIndexed index="0" regionRef="a"/></OrderedGroup></ReadingOrder>'
    )
    assert read_page_xml(page_xml(order + table + A)).text == "A\nC\nD"


def test_the_custom_order_of_transkribus_sorts_regions_and_lines(page_xml):
    def at(index):
        return f' custom="structure {{type:paragraph;}} readingOrder {{index:{index};}}"'

    first = region("r1", line("l1", "four", at(1)), line("l2", "three", at(0)), line("l3", "last"), attributes=at(1))
    second = region("r2", line("l4", "two", at(10)), line("l5", "one", at(9)), attributes=at(0))
    assert read_page_xml(page_xml(first + second)).text.split() == ["one", "two", "three", "four", "last"]


@pytest.mark.parametrize(
    ("order", "points", "expected"),
    [
        ("", ("0,0 9,1", "0,5 9,6"), "x y"),
        ("top-to-bottom", ("0,5 9,6", "0,0 9,1"), "x y"),
        ("bottom-to-top", ("0,0 9,1", "0,5 9,6"), "y x"),
        # They are in that order already.
        ("bottom-to-top", ("0,5 9,6", "0,0 9,1"), "x y"),
        ("right-to-left", ("0,0 1,9", "5,0 6,9"), "y x"),
        ("right-to-left", ("5,0 6,9", "0,0 1,9"), "x y"),
        ("bottom-to-top", ("", ""), "y x"),
    ],
)
def test_lines_are_in_the_order_that_their_region_or_page_declares(page_xml, order, points, expected):
    attributes = order and f' textLineOrder="{order}"'
    lines = [line(name, name, points=where) for name, where in zip("xy", points, strict=True)]
    assert read_page_xml(page_xml(region("r", *lines, attributes=attributes))).text.split() == expected.split()
    assert read_page_xml(page_xml(region("r", *lines), attributes=attributes)).text.split() == expected.split()


@pytest.mark.parametrize(
    ("equivs", "expected"),
    [
        ([equiv("only")], "only"),
        ([equiv("one", ' index="1"'), equiv("nought", ' index="0"')], "nought"),
        ([equiv("ten", ' index="10" conf="1"'), equiv("nine", ' index="9" conf="0"')], "nine"),
        ([equiv("without", ' conf="1"'), equiv("with", ' index="5"')], "with"),
        ([equiv("low", ' conf="0.2"'), equiv("high", ' conf="0.9"')], "high"),
        ([equiv("without"), equiv("with", ' conf="0"')], "with"),
        ([equiv("first"), equiv("second")], "first"),
        (["<TextEquiv><PlainText>plain</PlainText></TextEquiv>"], "plain"),
        (["<TextEquiv><PlainText>plain</PlainText><Unicode/></TextEquiv>"], "plain"),
        (["<TextEquiv><PlainText>plain</PlainText><Unicode>real</Unicode></TextEquiv>"], "real"),
    ],
)
def test_of_several_texts_the_index_decides_and_then_the_confidence(page_xml, equivs, expected):
    content = region("r", text_line(*equivs))
    assert read_page_xml(page_xml(content)).text == expected


WORDS = (
    '<TextLine id="l"><Word id="w1"><Glyph id="g1">{a}</Glyph><Glyph id="g2">{b}</Glyph>{one}</Word>'
    '<Word id="w2">{two}</Word>{own}</TextLine>'
)


@pytest.mark.parametrize(
    ("text_of", "expected"), [("region", "region"), ("line", "line"), ("word", "one two"), ("glyph", "ab two")]
)
def test_each_level_has_a_text_of_its_own(page_xml, text_of, expected):
    content = WORDS.format(a=equiv("a"), b=equiv("b"), one=equiv("one"), two=equiv("two"), own=equiv("line"))
    path = page_xml(region("r", content, equiv("region")))
    assert read_page_xml(path, text_of=text_of).text == expected


def test_where_an_element_has_no_text_it_is_made_of_those_within(page_xml):
    content = WORDS.format(a=equiv("a"), b=equiv("b"), one="", two=equiv("two"), own="")
    path = page_xml(region("r", content))
    assert read_page_xml(path).text == "ab two"
    layout = read_page_xml(path, words=True)
    assert layout.cut("word") == {"w1": "ab", "w2": "two"}
    assert layout.cut("line") == {"l": "ab two"}
    assert layout.cut("region") == {"r": "ab two"}


def test_where_nothing_within_has_a_text_it_is_that_of_the_element(page_xml):
    content = '<TextLine id="l"><Word id="w"/>' + equiv("line") + "</TextLine>"
    assert read_page_xml(page_xml(region("r", content)), text_of="glyph").text == "line"
    assert read_page_xml(page_xml(region("r", equiv("region"))), text_of="line").text == "region"


def test_a_region_with_other_words_than_its_lines_is_said(page_xml):
    path = page_xml(region("r", line("l", "one"), equiv("two")) + region("s", line("m", "one  two"), equiv("one\ntwo")))
    layout = read_page_xml(path)
    assert (layout.text, [*layout.account.notes(of_texts=True)]) == (
        "two\none\ntwo",
        [
            "PAGE-XML: texts of lines that differ from those of regions, which are read: 1 (the first in p1.xml, "
            "line 4: 'one')."
        ],
    )
    layout = read_page_xml(path, text_of="line")
    assert (layout.text, [*layout.account.left_out]) == (
        "one\none  two",
        ["texts of regions that differ from those of lines, which are read"],
    )


def test_a_region_whose_own_text_repeats_its_lines_and_those_of_regions_inside_it_is_read_once(page_xml):
    initial = region("s", line("m", "O"), attributes=' type="drop-capital"')
    for own in ("O\nnce", "nce\nO"):
        layout = read_page_xml(page_xml(region("r", line("l", "nce"), initial, equiv(own))))
        assert (layout.text, layout.account.unknown, layout.account.left_out) == ("nce\nO", {}, {})


def test_a_region_whose_own_text_is_empty_does_not_hide_its_lines(page_xml):
    layout = read_page_xml(page_xml(region("r", line("l", "one"), equiv(""))))
    assert (layout.text, len(layout.account.left_out)) == ("one", 1)


def test_a_page_without_text_and_lines_without_text_are_said(page_xml):
    unread = '<TextLine id="u"><Coords points="0,0"/></TextLine>'
    layout = read_page_xml(page_xml(region("r", line("l", "one"), unread)))
    assert (layout.text, [*layout.account.left_out]) == ("one", ["lines without a text"])
    assert layout.cut("line") == {"l": "one", "u": None}
    for content in ("", region("i", kind="ImageRegion"), region("r", equiv(""))):
        layout = read_page_xml(page_xml(content))
        assert (layout.text, "files without any text" in layout.account.left_out) == ("", True)


def test_comments_sections_and_references_of_characters_are_part_of_the_text(page_xml):
    text = "a<!-- c -->b<![CDATA[<&]]>&lt;&#228;&#13;"
    assert read_page_xml(page_xml(region("r", line("l", text)))).text == "ab<&<ä\r"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            region("r", text_line(equiv("a", ' index="1"'), "\n", equiv("b", ' index="1"'))),
            r"p1\.xml, line 5: a second TextEquiv of index 1 \(the first is on line 4\)",
        ),
        (region("r", text_line(equiv("a", ' index="x"') * 2)), r"line 4: the index of <TextEquiv> is 'x'"),
        (region("r", text_line(equiv("a", ' conf="x"') * 2)), r"line 4: conf is 'x', expected a number"),
        (region("r", text_line("<TextEquiv/>")), r"line 4: a TextEquiv without Unicode"),
        (region("r", line("l", "a<b/>c")), r"line 4: an element or entity inside of Unicode"),
        (
            '<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed regionRef="a"/><RegionRefIndexed regionRef="b"/>'
            f"</OrderedGroup></ReadingOrder>{A}",
            r"line 4: the index of <RegionRefIndexed> is ''",
        ),
        (
            '<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="0" regionRef="a"/></OrderedGroup>'
            f"</ReadingOrder>{A}\n{A}",
            r"line 5: the id 'a' of a region occurs twice, so that the reading order",
        ),
    ],
)
def test_what_leaves_the_text_open_is_refused_with_file_and_line(page_xml, content, message):
    with pytest.raises(InputFileError, match=message):
        read_page_xml(page_xml(content))


@pytest.mark.parametrize(
    ("content", "level", "message"),
    [
        (region("r", line("l", "a"), "\n", line("l", "b")), "line", r"line 5: the id 'l' of a line occurs twice"),
        (A + "\n" + A, "region", r"line 5: the id 'a' of a region occurs twice"),
        (region("r", line("", "a")), "line", r"line 4: a line without an id"),
        (region("r", equiv("a")), "line", r"line 4: region 'r' has a text and no lines; choose the level region"),
        (A, "word", r"line 4: line 'la' has a text and no words; choose the level line"),
    ],
)
def test_parts_that_cannot_be_told_apart_or_are_not_there_are_refused(page_xml, content, level, message):
    with pytest.raises(InputFileError, match=rf"p1\.xml, {message}"):
        read_page_xml(page_xml(content), words=True).cut(level)


def test_ids_that_differ_by_case_are_different(page_xml):
    layout = read_page_xml(page_xml(region("r", line("l", "one"), line("L", "two"))))
    assert layout.cut("line") == {"l": "one", "L": "two"}


def test_a_page_of_no_width_has_areas_as_they_are_written(page_xml):
    path = page_xml(region("a", line("l", "x")))
    path.write_text(path.read_text().replace('imageWidth="9"', 'imageWidth="0"'))
    (part,) = (areas := read_page_areas(path, "line")).parts
    assert areas.area(part, (90, 90)) == ((0, 0), (9, 0), (9, 1), (0, 1))


def test_a_part_that_is_no_element_of_its_own_is_refused_with_its_line(page_xml):
    with pytest.raises(InputFileError, match=r"line 7: a part of the page is not an element of its own"):
        _part(page_xml(A), None, "text", 7)


def cell(name, row, column, *content):
    return region(name, *content, kind="TableCell", attributes=f' row="{row}" col="{column}"')


def test_cells_of_a_table_are_read_by_row_and_column(page_xml):
    cells = [
        cell(f"c{row}{column}", row, column, line(f"l{row}{column}", f"{row}{column}"))
        for row, column in ((1, 0), (0, 1), (10, 0), (0, 0))
    ]
    layout = read_page_xml(page_xml(A + region("t", *cells, kind="TableRegion") + B))
    assert layout.text.split() == ["A", "00", "01", "10", "100", "B"]
    assert layout.cut("line")["l100"] == "100"
    roles = [
        region(name, f'<Roles><TableCellRole rowIndex="{row}" columnIndex="0"/></Roles>', line(f"l{name}", name))
        for name, row in (("second", 1), ("first", 0))
    ]
    # A caption stays where it is among them.
    layout = read_page_xml(page_xml(region("t", roles[0], A, roles[1], kind="TableRegion")))
    assert layout.text.split() == ["first", "A", "second"]


def test_a_region_of_any_kind_is_read_and_lines_outside_of_regions_come_last(page_xml):
    path = page_xml(region("r", region("s", line("l", "inside"), kind="StampRegion"), kind="GraphicRegion"))
    assert read_page_xml(path).text == "inside"
    layout = read_page_xml(page_xml(f"<Border>{line('x', 'X')}{line('y', 'Y')}</Border>{line('z', 'Z')}{A}"))
    assert layout.text == "A\nX\nY\nZ"
    assert layout.cut("line") == {"la": "A", "x": "X", "y": "Y", "z": "Z"}
    (share,) = layout.account.left_out.values()
    assert (share.number, share.example) == (2, "X Y")
    assert not layout.account.unknown


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("\nfirst line\n", "first line"),
        ("\n\t\tsecond  one\n\t", "second  one"),
        (" a blank ", " a blank "),
        ("\t\n", ""),
        ("two\nparts", "two parts"),
        ("two \n\t\t parts", "two parts"),
    ],
)
def test_white_space_with_a_line_break_around_a_text_formats_the_file(page_xml, written, text):
    assert read_page_xml(page_xml(region("r", line("l", written)))).text == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("one\n\ntwo", "one\n\ntwo"),
        ("\n\t\tone  two\n\t\tthree\n\t", "one  two\nthree"),
        # As dinglehopper reads it, which has no indents to tell it from.
        ("\none\n", "\none\n"),
    ],
)
def test_empty_lines_of_a_region_are_text_and_indents_are_none(page_xml, written, text):
    assert read_page_xml(page_xml(region("r", equiv(written)))).text == text


GRAPHEMES = f'{equiv("ab")}<Graphemes><Grapheme id="f" index="0">{equiv("a")}</Grapheme></Graphemes>'


def unknown_and_left_out(path, **settings):
    account = read_page_xml(path, **settings).account
    return tuple([share.example for share in shares.values()] for shares in (account.unknown, account.left_out))


def test_a_line_whose_own_text_is_empty_is_read_from_its_words(page_xml):
    words = f'<Word id="w">{equiv("one")}</Word><Word id="b">{equiv(" ")}</Word><Word id="v">{equiv("two")}</Word>'
    layout = read_page_xml(page_xml(region("r", text_line(words, equiv("")))), words=True)
    assert (layout.text, layout.cut("word")) == ("one two", {"w": "one", "v": "two"})


@pytest.mark.parametrize("words", [True, False])
def test_words_that_the_text_of_their_line_lacks_are_in_the_account(page_xml, words):
    said = text_line(*(f'<Word id="w{text}">{equiv(text)}</Word>' for text in ("one", "more")), equiv("one"))
    path = page_xml(region("r", said))
    account = read_page_xml(path, words=words).account
    assert {kind: share.example for kind, share in account.left_out.items()} == {
        "texts of words that differ from those of lines, which are read": "one more"
    }
    assert unknown_and_left_out(path, text_of="word") == ([], ["one"])
    same = text_line(*(f'<Word id="w{text}">{equiv(text)}</Word>' for text in "ab"), equiv("a\n b"))
    assert unknown_and_left_out(page_xml(region("r", same))) == ([], [])


@pytest.mark.parametrize(
    ("content", "unknown"),
    [
        (region("r", f'<Word id="w">{equiv("lost")}</Word>'), ["lost"]),
        (A + equiv("lost"), ["lost"]),
        (region("r", "<Note>lost</Note>", line("l", "a")), ["lost"]),
        (region("r", text_line(f'<Word id="w">{equiv("a")}<Note>lost</Note></Word>', equiv("a"))), ["lost"]),
        (region("r", equiv("outer"), region("s", line("l", "inner"))), ["outer"]),
        (region("r", equiv("in ner"), region("s", line("l", "inner"))), []),
        (region("r", text_line('<Word id="w"><Glyph id="g">' + GRAPHEMES + "</Glyph></Word>", equiv("ab"))), []),
    ],
)
def test_text_that_has_no_place_in_the_format_is_unknown(page_xml, content, unknown):
    assert unknown_and_left_out(page_xml(content))[0] == unknown


def test_other_readings_are_in_the_account_at_every_level(page_xml):
    other = "<TextEquiv><PlainText>{}</PlainText><Unicode>{}</Unicode></TextEquiv>"
    word = f'<Word id="w">{equiv("one")}{equiv("gone")}</Word>'
    said = text_line(word, other.format("won", "one"), equiv("on"))
    account = read_page_xml(page_xml(region("r", said, other.format("one", "one")))).account
    (share,) = account.left_out.values()
    assert (share.number, share.characters, account.unknown) == (3, len("wonongone"), {})


@pytest.mark.parametrize("begin", ["https://schema.primaresearch.org", "https://www.primaresearch.org/schema"])
def test_namespaces_that_programs_write_are_read(page_xml, begin):
    path = page_xml(A)
    path.write_text(path.read_text().replace("http://schema.primaresearch.org", begin))
    assert read_page_xml(path).text == "A"
