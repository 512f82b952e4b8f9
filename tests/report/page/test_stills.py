from misread.report.page.segments import view_segments
from misread.report.page.stills import LINE_WIDTH, choose_stills


def stills_of(made, systems, count=20):
    return choose_stills(view_segments(made.texts, made.alignments, systems), {}, {}, count=count)


def test_the_most_disputed_come_first_and_exact_ones_never(books):
    stills = stills_of(books, ["pero", "tesseract4", "kraken"])
    assert stills[0].segment.segment_id == "line-012"
    assert len(stills) == 20
    assert all(still.segment.errors for still in stills)


def test_none_are_chosen_where_none_are_wanted_or_all_are_exact(material, books):
    assert stills_of(books, ["pero"], count=0) == ()
    assert stills_of(material(["ab"], {"a": ["ab"]}), ["a"]) == ()


def test_a_long_stretch_without_an_error_is_folded(material):
    (still,) = stills_of(material(["x" * 100 + "a" + "y" * 100], {"a": ["x" * 100 + "b" + "y" * 100]}), ["a"])
    (line,) = still.lines
    assert line.reference == ("⋯", *"x" * 12, "a", *"y" * 12, "⋯")
    assert [(cell.kind, cell.span) for cell in line.rows[0][1]] == [("C", 13), ("S", 1), ("C", 13)]


def test_lines_are_wrapped_as_a_whole(material):
    (still,) = stills_of(material(["ab" * 100], {"a": ["ba" * 100], "b": ["aa" * 100]}), ["a", "b"])
    assert all(len(line.reference) <= LINE_WIDTH for line in still.lines)
    assert {tuple(name for name, _ in line.rows) for line in still.lines} == {("a", "b")}
    assert all(
        sum(cell.span for cell in cells) == len(line.reference) for line in still.lines for _, cells in line.rows
    )


def test_spaces_are_signs_only_where_they_are_errors(material):
    (still,) = stills_of(material(["a b c"], {"a": ["ab c"]}), ["a"])
    assert still.lines[0].reference == ("a", "␣", "b", " ", "c")
    assert [cell.title for cell in still.lines[0].rows[0][1] if cell.title] == ["deletion: ␣ is missing"]


def test_columns_run_the_way_of_the_reference(material):
    stills = stills_of(material(["1 שלום", "abc"], {"a": ["1 שלוס", "abd"]}), ["a"])
    assert {still.segment.segment_id: still.direction for still in stills} == {"line-000": "rtl", "line-001": "ltr"}
