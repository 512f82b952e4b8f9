from misread.report.page.segments import view_segments


def test_errors_of_all_segments_are_those_of_the_table(books):
    views = view_segments(books.texts, books.alignments, ["pero", "tesseract4", "kraken"])
    for place, system in enumerate(views.systems):
        for view, metric in (("characters", "cer"), ("words", "wer")):
            counts = [of.aligned[view].counts[place] for of in views.segments]
            shared = [
                of for segment, of in zip(views.segments, counts, strict=True) if segment.segment_id != "line-011"
            ]
            assert sum(of.errors for of in shared) == books.comparison.systems[system][metric].counts["errors"]


def test_disagreement_is_most_errors_minus_fewest(books):
    views = view_segments(books.texts, books.alignments, ["pero", "kraken"])
    assert views.segments[12].disagreement == len(views.segments[12].scored)
    alone = view_segments(books.texts, books.alignments, ["kraken"])
    assert alone.segments[12].disagreement == alone.segments[12].errors


def test_a_missing_output_keeps_its_reason_and_has_no_row(books):
    segment = view_segments(books.texts, books.alignments, ["pero", "kraken"]).segments[11]
    assert segment.outputs[1].scored is None
    assert segment.outputs[1].reason == "the image is cut short"
    assert segment.aligned["characters"].grids[0].rows[1] is None
    assert segment.aligned["characters"].counts[1] is None


def test_labels_are_the_cluster_and_the_groups(books):
    views = view_segments(books.texts, books.alignments, ["pero"])
    assert views.columns == ("book", "print")
    assert views.segments[1].labels == ("book-0", "clean")


def test_a_segment_that_only_one_system_has_is_shown(run_on):
    one = run_on(["ab", "cd"], {"a": ["ab", "cd"]})
    other = run_on(["ab"], {"b": ["ax"]})
    views = view_segments(one.texts | other.texts, one.alignments | other.alignments, ["b", "a"])
    assert [of.segment_id for of in views.segments] == ["line-000", "line-001"]
    assert views.segments[1].outputs[0].reason == "not captured"


def test_without_systems_there_are_no_segments():
    assert view_segments({}, {}, []).segments == ()


def test_systems_stand_under_the_readings_that_they_were_compared_with(run_on):
    hypotheses = {"a": ["so um go", "x"], "b": ["so go", "x"], "c": ["so um goo", None]}
    results = run_on(["so { um / uh / @ } go", "x"], hypotheses, alternatives="references")
    views = view_segments(results.texts, results.alignments, ["a", "b", "c"])
    first, second = views.segments
    assert (first.scored, len(second.aligned["characters"].grids)) == ("so { um / uh / @ } go", 1)
    for view, expected in (("characters", ["so um go", "so go"]), ("words", ["soumgo", "sogo"])):
        grids = first.aligned[view].grids
        assert ["".join(grid.reference) for grid in grids] == expected
        assert [[row is not None for row in grid.rows] for grid in grids] == [[True, False, True], [False, True, False]]
    for view, metric in (("characters", "cer"), ("words", "wer")):
        for place, system in enumerate(views.systems[:2]):
            counted = sum(of.aligned[view].counts[place].errors for of in views.segments)
            assert counted == results.comparison.systems[system][metric].counts["errors"] == 0
        assert first.aligned[view].counts[2].errors == 1
