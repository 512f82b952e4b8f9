"""ALTO, by hand in the published layout (altoxml/schema) and from real tools."""

import pytest

from misread.data.formats.alto_xml import read_alto_xml
from misread.errors import InputFileError


def string(text, attributes=""):
    return f'<String CONTENT="{text}"{attributes}/>'


def text_line(name, *content):
    return f'<TextLine ID="{name}">{"".join(content)}</TextLine>'


def block(name, *content, attributes=""):
    return f'<TextBlock ID="{name}"{attributes}>{"".join(content)}</TextBlock>'


def halves(
    *, first=' SUBS_TYPE="HypPart1" SUBS_CONTENT="together"', second=' SUBS_TYPE="HypPart2" SUBS_CONTENT="together"'
):
    return (
        text_line("l1", string("all"), "<SP/>", string("to", first), '<HYP CONTENT="-"/>'),
        text_line("l2", string("gether", second), "<SP/>", string("now")),
    )


A, B, C = (block(name, text_line(f"l{name}", string(name.upper()))) for name in "abc")


@pytest.mark.parametrize(
    "namespace",
    [
        "",
        "http://schema.ccs-gmbh.com/ALTO",
        "http://schema.ccs-gmbh.com/docworks/version20/alto-1-4.xsd",
        "http://bibnum.bnf.fr/ns/alto_prod",
        "http://www.loc.gov/standards/alto/v3/alto.xsd",
        *(f"http://www.loc.gov/standards/alto/ns-v{version}#" for version in "234"),
    ],
)
def test_every_version_is_read(alto_xml, namespace):
    assert read_alto_xml(alto_xml(A, namespace=namespace)).text == "A"


def test_strings_are_words_whether_or_not_a_space_stands_between(alto_xml):
    path = alto_xml(block("b", text_line("l", string("for"), string("theirs"), "<SP/>", string("too"))))
    assert read_alto_xml(path).text == "for theirs too"


def test_a_hyphen_belongs_to_the_word_before_it(alto_xml):
    assert read_alto_xml(alto_xml(block("b", *halves()))).text == "all to-\ngether now"


@pytest.mark.parametrize("hyphen", ["-", "\u00ad", "\u00ac", "\u2010"])
def test_a_hyphen_that_is_written_twice_is_one(alto_xml, hyphen):
    twice = text_line("l", string("har-"), f'<HYP CONTENT="{hyphen}"/>')
    assert read_alto_xml(alto_xml(block("b", twice))).text == "har-"


def test_a_divided_word_may_be_read_whole_in_its_first_line(alto_xml):
    path = alto_xml(block("b", *halves()))
    layout = read_alto_xml(path, words=True, hyphens="joined")
    assert layout.text == "all together\nnow"
    assert layout.cut("line") == {"l1": "all together", "l2": "now"}


def test_a_divided_word_goes_on_in_the_next_block(alto_xml):
    one, two = halves()
    assert read_alto_xml(alto_xml(block("a", one) + block("b", two)), hyphens="joined").text == "all together\nnow"


@pytest.mark.parametrize("hyphens", ["kept", "joined"])
def test_half_a_word_without_its_other_half_stays_and_is_said(alto_xml, hyphens):
    one, two = halves()
    for content, text in (
        (one, "all to-"),
        (two, "gether now"),
        (two + one, "gether now\nall to-"),
        (one + one, "all to-\nall to-"),
    ):
        layout = read_alto_xml(alto_xml(block("b", content)), hyphens=hyphens)
        assert (layout.text, [*layout.account.left_out]) == (
            text,
            ["halves of divided words without the other half, read as they are printed"],
        )


def test_an_abbreviation_stays_as_it_is_printed(alto_xml):
    content = string("Dr", ' SUBS_TYPE="Abbreviation" SUBS_CONTENT="Doctor"')
    assert read_alto_xml(alto_xml(block("b", text_line("l", content))), hyphens="joined").text == "Dr"


@pytest.mark.parametrize(
    ("blocks", "order", "expected"),
    [
        (A + B + C, "", "A B C"),
        (f'<ComposedBlock ID="x">{B}{A}</ComposedBlock>{C}', "", "B A C"),
        (
            A + B + C,
            '<OrderedGroup><ElementRef REF="c"/><UnorderedGroup><ElementRef REF="a"/></UnorderedGroup></OrderedGroup>',
            "C A B",
        ),
        (
            f'{C}<ComposedBlock ID="x">{B}{A}</ComposedBlock>',
            '<OrderedGroup><ElementRef REF="x"/><ElementRef REF="b"/></OrderedGroup>',
            "A B C",
        ),
        # eScriptorium lists lines.
        (
            A + block("x", text_line("l1", string("1")), text_line("l2", string("2"))),
            '<OrderedGroup><ElementRef REF="l2"/><ElementRef REF="l1"/><ElementRef REF="la"/></OrderedGroup>',
            "2 1 A",
        ),
    ],
)
def test_blocks_are_in_reading_order(alto_xml, blocks, order, expected):
    before = order and f"<ReadingOrder>{order}</ReadingOrder>"
    assert read_alto_xml(alto_xml(blocks, before=before)).text.split() == expected.split()


@pytest.mark.parametrize(
    ("nexts", "expected"),
    [("   ", "A B C"), ("c  ", "A C B"), (" ca", "B C A"), ("bca", "A B C"), ("?  ", "A B C"), ("aaa", "B A C")],
)
def test_a_block_may_name_the_one_that_follows(alto_xml, nexts, expected):
    attributes = [f' IDNEXT="{following}"' if following.strip() else "" for following in nexts]
    lines = [text_line(name, string(name.upper())) for name in "abc"]
    blocks = map(lambda name, line, more: block(name, line, attributes=more), "abc", lines, attributes)
    assert read_alto_xml(alto_xml("".join(blocks))).text.split() == expected.split()


def test_margins_are_read_as_well(write):
    path = write(
        "p.xml",
        f'<alto xmlns="http://www.loc.gov/standards/alto/ns-v2#"><Layout><Page><TopMargin>{A}</TopMargin>'
        f"<PrintSpace>{B}</PrintSpace></Page></Layout></alto>",
    )
    assert read_alto_xml(path).text == "A\nB"


def test_parts_are_cut_by_their_ids(alto_xml):
    path = alto_xml(block("b", text_line("l", string("one", ' ID="s1"'), string("two", ' ID="s2"')), text_line("m")))
    layout = read_alto_xml(path, words=True)
    assert layout.cut("region") == {"b": "one two"}
    assert layout.cut("line") == {"l": "one two", "m": None}
    assert layout.cut("word") == {"s1": "one", "s2": "two"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (block("b", text_line("l", "\n<String/>")), r"p1\.xml, line 5: <String> has no CONTENT"),
        (block("b", text_line("l", string("a")), "\n", text_line("l")), r"line 5: the id 'l' of a line occurs twice"),
        (block("b", "<TextLine>", string("a"), "</TextLine>"), r"line 4: a line without an id"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_and_line(alto_xml, content, message):
    with pytest.raises(InputFileError, match=message):
        read_alto_xml(alto_xml(content)).cut("line")


def test_a_reading_order_over_two_blocks_of_one_id_is_refused(alto_xml):
    before = '<ReadingOrder><OrderedGroup><ElementRef REF="a"/></OrderedGroup></ReadingOrder>'
    with pytest.raises(InputFileError, match=r"the ID 'a' of a block occurs twice, so that the reading order"):
        read_alto_xml(alto_xml(A + A, before=before))


def test_blanks_around_strings_separate_them_and_one_string_may_be_a_line(alto_xml):
    one = text_line("l", string(" a line  of text "))
    two = text_line("m", string(" one  "), "<SP/>", string("two  words"), string(" "))
    layout = read_alto_xml(alto_xml(block("b", one, two)), words=True)
    assert layout.text == " a line  of text \none two words"
    assert [[word.text for word in line.words] for line in layout.regions[0].lines] == [
        [" a line  of text "],
        ["one", "two words"],
    ]


def test_a_string_without_content_is_its_glyphs(alto_xml):
    glyphs = '<String CONTENT=""><Glyph CONTENT="a"/><Glyph CONTENT="b"><Variant CONTENT="c"/></Glyph></String>'
    assert read_alto_xml(alto_xml(block("b", text_line("l", glyphs, string("d"))))).text == "ab d"


def test_a_hyphen_of_several_characters_is_read(alto_xml):
    assert read_alto_xml(alto_xml(block("b", text_line("l", string("har-"), '<HYP CONTENT="--"/>')))).text == "har---"


def test_lines_outside_of_blocks_come_last_and_strings_outside_of_lines_are_unknown(alto_xml):
    content = text_line("x", string("stray")) + block("b", string("lost"), text_line("l", string("A") + "named"))
    layout = read_alto_xml(alto_xml(content))
    assert (layout.text, [share.example for share in layout.account.left_out.values()]) == ("A\nstray", ["stray"])
    assert {kind: share.example for kind, share in layout.account.unknown.items()} == {
        "CONTENT of Page/PrintSpace/TextBlock/String": "lost",
        "texts in Page/PrintSpace/TextBlock/TextLine": "named",
    }


def test_other_readings_whole_words_and_expansions_are_in_the_account(alto_xml):
    one, two = halves(first=' SUBS_TYPE="HypPart1" SUBS_CONTENT="toegther"', second=' SUBS_TYPE="HypPart2"')
    read = '<String CONTENT="a"><ALTERNATIVE>b</ALTERNATIVE><ALTERNATIVE>cd</ALTERNATIVE></String>'
    content = text_line("x", read, string("Dr", ' SUBS_TYPE="Abbreviation" SUBS_CONTENT="Doctor"'))
    account = read_alto_xml(alto_xml(block("b", one, two, content))).account
    assert {(share.example, share.number, share.characters) for share in account.left_out.values()} == {
        ("toegther", 1, 8),
        ("b", 2, 3),
        ("Doctor", 1, 6),
    }
    assert not account.unknown
    assert not read_alto_xml(alto_xml(block("b", *halves()))).account.left_out


@pytest.mark.parametrize("pages", ['<Page ID="p{}">', "<Page>"])
def test_pages_with_the_same_names_are_told_apart(write, pages):
    content = "".join(pages.format(page) + f"<PrintSpace>{A}{B}</PrintSpace></Page>" for page in "12")
    layout = read_alto_xml(write("p.xml", f'<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#">{content}</alto>'))
    first, second = ("p1", "p2") if "ID" in pages else ("1", "2")
    assert layout.cut("line") == {f"{first}.la": "A", f"{first}.lb": "B", f"{second}.la": "A", f"{second}.lb": "B"}
    assert [*layout.cut("region")] == [f"{first}.a", f"{first}.b", f"{second}.a", f"{second}.b"]
