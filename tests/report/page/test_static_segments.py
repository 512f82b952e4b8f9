from misread.report.page.segments import view_segments
from misread.report.page.static_segments import LINE_WIDTH, MOST_CELLS, choose_static_segments


def chosen(made, systems, count=20):
    return choose_static_segments(view_segments(made.texts, made.alignments, systems), {}, {}, count=count)


def test_the_most_disputed_come_first_and_exact_ones_never(books):
    segments = chosen(books, ["pero", "tesseract4", "kraken"])
    assert segments[0].view.segment_id == "line-012"
    assert len(segments) == 20
    assert all(segment.view.errors for segment in segments)


def test_none_are_chosen_where_none_are_wanted_or_all_are_exact(run_on, books):
    assert chosen(books, ["pero"], count=0) == ()
    assert chosen(run_on(["ab"], {"a": ["ab"]}), ["a"]) == ()


def test_a_long_stretch_without_an_error_is_folded(run_on):
    (segment,) = chosen(run_on(["x" * 100 + "a" + "y" * 100], {"a": ["x" * 100 + "b" + "y" * 100]}), ["a"])
    (line,) = segment.lines
    assert line.reference == ("⋯", *"x" * 12, "a", *"y" * 12, "⋯")
    assert [(cell.kind, cell.span) for cell in line.rows[0][1]] == [("C", 13), ("S", 1), ("C", 13)]


def test_lines_are_wrapped_as_a_whole(run_on):
    (segment,) = chosen(run_on(["ab" * 100], {"a": ["ba" * 100], "b": ["aa" * 100]}), ["a", "b"])
    assert all(len(line.reference) <= LINE_WIDTH for line in segment.lines)
    assert {tuple(name for name, _ in line.rows) for line in segment.lines} == {("a", "b")}
    assert all(
        sum(cell.span for cell in cells) == len(line.reference) for line in segment.lines for _, cells in line.rows
    )


def test_spaces_are_signs_only_where_they_are_errors(run_on):
    (segment,) = chosen(run_on(["a b c"], {"a": ["ab c"]}), ["a"])
    assert segment.lines[0].reference == ("a", "␣", "b", " ", "c")
    assert [cell.title for cell in segment.lines[0].rows[0][1] if cell.title] == ["deletion: ␣ is missing"]


def test_columns_run_the_way_of_the_reference(run_on):
    segments = chosen(run_on(["1 שלום", "abc"], {"a": ["1 שלוס", "abd"]}), ["a"])
    assert {segment.view.segment_id: segment.direction for segment in segments} == {
        "line-000": "rtl",
        "line-001": "ltr",
    }


def test_of_long_segments_the_first_lines_are_printed_and_the_number_of_others_said(run_on):
    # Every second character is wrong, in ten pages of 3,000 characters that seven systems have read.
    pages = ["ab" * 1500] * 10
    run = run_on(pages, {name: ["a" + "x" * 2999] * 10 for name in "abcdefg"})
    segments = chosen(run, list("abcdefg"))
    cells = [
        len(line.reference) + sum(len(row) for _, row in line.rows) for segment in segments for line in segment.lines
    ]
    assert len(segments) == 10
    assert all(segment.lines and segment.left_out for segment in segments)
    # The first line of each is there in any case.
    assert sum(cells) <= MOST_CELLS + 10 * max(cells)


def test_what_short_segments_leave_is_for_the_long_one(run_on):
    long = "ab" * 400
    run = run_on([long, *["ab"] * 9], {"a": ["x" * len(long), *["xb"] * 9]})
    assert [segment.left_out for segment in chosen(run, ["a"])] == [0] * 10
