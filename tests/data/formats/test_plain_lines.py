"""Plain lines of ALTO in one element: the same layout, or the same error, as of the file as it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.fuzz.mutations import mutate

from misread.compiled.budget import READING
from misread.data.formats.alto_xml import read_alto_xml
from misread.data.formats.plain_lines import PLAIN_LINES, join_plain_lines
from misread.errors import InputFileError

ALTO = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page>'
    '<PrintSpace><TextBlock ID="b">{}</TextBlock></PrintSpace></Page></Layout></alto>'
)
PLACE = 'HPOS="1" VPOS="2.5"\n WIDTH="3" HEIGHT="4"'
PLAIN = (
    f'\n<TextLine ID="l1" {PLACE}>\n<String ID="s1" CONTENT="one" WC="0.5" {PLACE}/><SP/>\n'
    '<String WC="0.25" CONTENT="two"/></TextLine>\n\n<TextLine ID="l2"><String CONTENT="three"/></TextLine>\n'
)
NAME = PLAIN_LINES[1:].partition("}")[0].encode()


@pytest.fixture(autouse=True)
def machine_code(monkeypatch):
    """However small a file is, it is not left as it is for that."""
    monkeypatch.setattr(READING, "seconds", 0.0)


def outcome(path, hyphens="kept"):
    try:
        return read_alto_xml(path, hyphens=hyphens)
    except InputFileError as error:
        return str(error)


def both_outcomes(path, data):
    """What comes of a file as it is read, and with nothing joined."""
    path.write_bytes(data)
    for hyphens in ("kept", "joined"):
        joined = outcome(path, hyphens)
        READING.seconds = 1e9
        try:
            yield joined, outcome(path, hyphens)
        finally:
            READING.seconds = 0.0


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("alto") / "p.xml"


def alto(content):
    return ALTO.format(content).encode()


def test_plain_lines_are_one_element_with_the_line_feeds_after_it():
    joined = join_plain_lines(alto(PLAIN))
    assert joined.count(b"<TextLine") == joined.count(NAME) == 1
    assert b"HPOS" not in joined
    assert joined.count(b"\n") == alto(PLAIN).count(b"\n")


def test_the_layout_has_names_texts_lines_of_the_file_and_confidences(file):
    file.write_bytes(alto(PLAIN))
    (region,) = read_alto_xml(file).regions
    assert list(region.lines) == [("l1", "one two", 4, (), [0.5, 0.25]), ("l2", "three", 9, (), None)]


def test_words_are_read_as_they_are_written(file):
    file.write_bytes(alto(PLAIN))
    assert read_alto_xml(file, words=True).regions[0].lines[0].words == [("s1", "one", 6, 0.5), ("", "two", 7, 0.25)]


@pytest.mark.parametrize(
    "line",
    [
        "<TextLine ID='l'><String CONTENT=\"a\"/></TextLine>",
        '<TextLine ID="l"></TextLine>',
        '<TextLine ID="l"/>',
        '<TextLine ID="l">a<String CONTENT="a"/></TextLine>',
        '<TextLine ID="l"><Shape/><String CONTENT="a"/></TextLine>',
        '<TextLine ID="l"><!-- b --><String CONTENT="a"/></TextLine>',
        '<TextLine ID="l"><String CONTENT="a"></String></TextLine>',
        '<TextLine ID="l"><String CONTENT="a"/><HYP CONTENT="-"/></TextLine>',
        *(
            f'<TextLine ID="l"><String {attributes}/></TextLine>'
            for attributes in (
                'HPOS="1"',
                'CONTENT=""',
                "CONTENT='a'",
                'CONTENT = "a"',
                'CONTENT="&#32;a"',
                'CONTENT="a>b"',
                'CONTENT="a\tb"',
                'CONTENT="a\nb"',
                'CONTENT="a\x7fb"',
                f'CONTENT="{"a" * 2_000}"',
                'CONTENT="a" SUBS_TYPE="HypPart1"',
                'CONTENT="a" xml:lang="de"',
                'CONTENT="a" STYLE="é"',
                'CONTENT="a" STYLE="&amp;"',
                f'CONTENT="a" {" ".join(f"""{letter}="" """ for letter in "ABCDEFGHIJKLMNOPQ")}',
            )
        ),
        '<TextLine ID="l">' + '<String CONTENT="a"/>' * 300 + "</TextLine>",
    ],
)
def test_lines_that_are_not_plain_stay_as_they_are(file, line):
    data = alto(line)
    assert join_plain_lines(data) == data
    for joined, written in both_outcomes(file, alto(PLAIN + line + PLAIN.replace('"l', '"m'))):
        assert joined == written
        assert "has no CONTENT" in joined if isinstance(joined, str) else len(joined.regions[0].lines) == 5


@pytest.mark.parametrize(
    "data",
    [
        alto(PLAIN).replace(b'"UTF-8"', b'"ISO-8859-1"'),
        alto(PLAIN).decode().replace("UTF-8", "UTF-16").encode("utf-16"),
        alto(PLAIN).replace(b"?>", b"?><!DOCTYPE alto>"),
        alto(f"<!-- {PLAIN} -->{PLAIN}"),
        alto(f"<![CDATA[{PLAIN}]]>"),
        alto(f"<?begin?>{PLAIN}"),
        alto("\n" * (1 << 16) + PLAIN),
    ],
)
def test_files_in_which_a_line_may_be_none_stay_as_they_are(data):
    assert join_plain_lines(data) == data


@pytest.mark.parametrize(
    "before", [b"", b"\xef\xbb\xbf", b"<?xml version='1.0'?>", b'<?xml-stylesheet href="x"?>\n<!-- by hand -->']
)
def test_what_stands_before_the_root_does_not_matter(file, before):
    data = before + alto(PLAIN).partition(b"\n")[2]
    assert NAME in join_plain_lines(data)
    for joined, written in both_outcomes(file, data):
        assert joined == written
        assert joined.text == "one two\nthree"


def test_what_is_broken_is_said_of_the_file(file):
    broken = {
        alto(PLAIN).replace(b"three", b"caf\xe9"): "line 9: not well-formed",
        alto(PLAIN).replace(b"three", b"&nowhere;"): "line 9: not well-formed",
        alto(PLAIN).replace(b' WC="0.25"', b' WC="0.25" WC="0.5"'): "line 7: not well-formed",
        alto(PLAIN + "<TextLine>"): "line 10: not well-formed",
        alto("<b>" * 253 + PLAIN + "</b>" * 253): "nested more than 256 deep",
    }
    for data, message in broken.items():
        for joined, written in both_outcomes(file, data):
            assert joined == written
            assert message in joined


def test_many_lines_between_others_take_time_by_their_number(ends_within):
    line = '<TextLine ID="l"><String CONTENT=""/></TextLine>'
    data = alto(line * 200_000)
    join_plain_lines(alto(PLAIN))  # compiled
    assert ends_within(1, lambda: join_plain_lines(data))


ATTRIBUTES = st.sampled_from(
    [
        *('ID="s1"', 'ID="é"', 'HPOS="10"', 'STYLEREFS="A B"', 'WC="0.5"', 'WC="x"', 'WC="0.5 "', "WC='1'", 'WC=""'),
        *('CONTENT="a"', 'CONTENT="a b"', 'CONTENT="a\u00a0b"', 'CONTENT=" "', 'CONTENT=""', 'CONTENT="&lt;&quot;"'),
        *('CONTENT="&#32;"', 'CONTENT="é]]&gt;"', 'CONTENT="]]"', 'CONTENT="x>"', 'CONTENT="\x7f"', 'CONTENT="\x1f"'),
        *('SUBS_TYPE="HypPart1" SUBS_CONTENT="whole"', 'SUBS_TYPE="HypPart2"', 'STYLE="<"', 'STYLE="&"', 'xmlns="x"'),
        *('PROCESSINGREFS="p"', "STYLEREFS", 'CC = "1"', 'x:WC="1"', 'WC="0.5"CC="1"'),
    ]
)
BETWEEN = st.sampled_from(
    ["", "", "", " ", "\n", "\r\n", "\r", "text", "<!-- c -->", "<?p?>", "<![CDATA[<TextLine>]]>"]
)


def element(names, content, attributes=ATTRIBUTES):
    """Most elements are written plainly, or nothing would be joined."""
    return st.builds(
        lambda name, given, blank, inside: (
            f"<{name}{''.join(f'{blank}{each}' for each in given)}" + (f">{inside}</{name}>" if inside else "/>")
        ),
        st.sampled_from(names),
        st.lists(attributes, max_size=4, unique_by=lambda each: each.partition("=")[0]) | st.lists(ATTRIBUTES),
        st.sampled_from([" ", " ", " ", "\n", "  "]),
        content,
    )


PLAIN_STRING = st.sampled_from(
    ['<String CONTENT="a"/>', '<String ID="s"\nWC="0.5" CONTENT="b c"/>', '<SP WIDTH="1"/>', "\n"]
)
PART = PLAIN_STRING | PLAIN_STRING | element(["String", "SP", "HYP", "Strings", "b"], st.just("") | BETWEEN) | BETWEEN
NAMES = st.sampled_from(['ID="l1"', 'ID="l2"', 'ID="&amp;l"', "ID='l'", 'HPOS="1"', 'xmlns="x"'])
LINE = element(["TextLine", "TextLine", "TextLine", "TextLines"], st.lists(PART, max_size=6).map("".join), NAMES)


@given(st.lists(LINE | BETWEEN, max_size=6).map("".join))
def test_the_layout_is_that_of_the_file(file, content):
    for joined, written in both_outcomes(file, alto(content)):
        assert joined == written


@given(st.randoms(use_true_random=True))
def test_the_layout_of_a_changed_file_is_that_of_the_file(file, rng):
    data = alto(PLAIN + '<TextLine><String CONTENT="to" SUBS_TYPE="HypPart1"/></TextLine>' + PLAIN)
    for joined, written in both_outcomes(file, mutate(rng, data, [data])):
        assert joined == written


def test_real_files_have_the_same_layout(shared_data, file):
    paths = [path for path in sorted(shared_data.rglob("*.xml")) if b"<alto" in path.read_bytes()[:2000]]
    assert len(paths) > 5
    for path in paths:
        for joined, written in both_outcomes(file, path.read_bytes()):
            assert joined == written
    assert any(NAME in join_plain_lines(path.read_bytes()) for path in paths)
