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
    assert segment.aligned["characters"].grid.rows[1] is None
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
