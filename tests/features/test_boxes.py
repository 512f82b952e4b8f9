"""Boxes against sets of pixels, against corners and crossings of sides in fractions, and against worked examples."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, InputValueError, UndefinedResultError, UnknownNameError
from misread.evaluation.texts import evaluate
from misread.features.boxes import _find_excess
from misread.metrics.base import ScoredText
from misread.sockets import METRICS
from misread.sockets.metric_names import get_metric

WORDS = st.sampled_from(["Cafe", "cafe", "(cafe)", "bar", "###", ""])


@st.composite
def rectangles(draw):
    left, top = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    return left, top, left + draw(st.integers(1, 4)), top + draw(st.integers(1, 4)), draw(WORDS)


def written(boxes):
    return "".join(f"{left},{top},{right},{top},{right},{bottom},{left},{bottom},{text}\n"
                   for left, top, right, bottom, text in boxes)  # fmt: skip


def pixels(box):
    left, top, right, bottom, _ = box
    return {*product(range(left, right), range(top, bottom))}


def counted(references, hypotheses, metric):
    return METRICS[metric].count(ScoredText([written(references)], [written(hypotheses)])).tolist()[0][:3]


@given(st.lists(rectangles(), max_size=6), st.lists(rectangles(), max_size=6))
def test_counts_are_those_of_the_protocol_on_sets_of_pixels(references, hypotheses):
    ignored = [pixels(box) for box in references if box[4] == "###"]
    asked = [box for box in references if box[4] != "###"]
    given_boxes = [
        box for box in hypotheses if all(2 * len(pixels(box) & area) <= len(pixels(box)) for area in ignored)
    ]
    pairs, taken = [], set()
    for box in asked:
        for row, other in enumerate(given_boxes):
            shared, union = pixels(box) & pixels(other), pixels(box) | pixels(other)
            if row not in taken and 2 * len(shared) > len(union):
                taken.add(row)
                pairs.append((box[4], other[4]))
                break
    read = sum(
        hypothesis.upper() in {reference.upper(), reference.upper()[1:-1] if reference == "(cafe)" else None}
        or (reference == "(cafe)" and hypothesis.upper() in ("CAFE)", "(CAFE"))
        for reference, hypothesis in pairs
    )
    sizes = [len(asked), len(given_boxes)]
    assert counted(references, hypotheses, "detection_f1") == [len(pairs), *sizes]
    assert counted(references, hypotheses, "end_to_end_f1") == [read, *sizes]


POINTS = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


def turn(start, end, point):
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def hull_of(points):
    """Corners of the convex hull, going round, by asking of every side whether all points lie on one side of it."""
    sides = {start: end for start, end in product(points, points)
             if start != end and all(turn(start, end, point) > 0 or (turn(start, end, point) == 0 and
             min(start, end) <= point <= max(start, end)) for point in points)}  # fmt: skip
    corners = [min(sides)] if sides else []
    while corners and (following := sides[corners[-1]]) != corners[0]:
        corners.append(following)
    return corners


def area_of(corners):
    return sum(
        x * other_y - other_x * y
        for (x, y), (other_x, other_y) in zip(corners, [*corners[1:], *corners[:1]], strict=True)
    ) / Fraction(2)


def crossings(corners, others):
    sides, other_sides = ([*zip(polygon, [*polygon[1:], polygon[0]], strict=True)] for polygon in (corners, others))
    for (a, b), (c, d) in product(sides, other_sides):
        first, second = turn(c, d, a), turn(c, d, b)
        if first * second < 0 and turn(a, b, c) * turn(a, b, d) <= 0:
            share = Fraction(first, first - second)
            yield a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


@given(st.sets(POINTS, min_size=4, max_size=4), st.sets(POINTS, min_size=4, max_size=4), st.booleans())
def test_areas_are_those_of_corners_and_crossings(points, others, other_way):
    """The intersection of convex boxes is the hull of corners inside of the other one, and of crossings of sides."""
    first, second = hull_of(points), hull_of(others)
    assume(len(first) == len(second) == 4)
    inside = [point for corners, other in ((first, second), (second, first)) for point in corners
              if all(turn(a, b, point) >= 0 for a, b in zip(other, [*other[1:], other[0]], strict=True))]  # fmt: skip
    shared = area_of(hull_of({*inside, *crossings(first, second)}))
    whole = area_of(first) + area_of(second) - shared
    box, other = ([(Fraction(x), Fraction(y)) for x, y in corners] for corners in (first, second))
    limit = Fraction(1, 3)
    assert _find_excess(box, other[::-1] if other_way else other, limit, of_union=True) == (
        2 * (shared - limit * whole),
        2 * whole,
    )


def test_a_box_with_a_dent_has_the_area_that_its_sides_enclose():
    dented, square = [(0, 0), (8, 0), (2, 2), (0, 8)], [(0, 0), (2, 0), (2, 2), (0, 2)]
    shapes = [[(Fraction(x), Fraction(y)) for x, y in corners] for corners in (dented, square)]
    assert _find_excess(*shapes, Fraction(0), of_union=False) == (8, 32)


SHOP = "10,10,50,10,50,20,10,20,Open!\n60,10,90,10,90,20,60,20,daily\n10,40,90,40,90,60,10,60,###\n"


@pytest.mark.parametrize(
    ("hypothesis", "detection", "end_to_end"),
    [
        # Two right ones, and one in the region that is not to be read.
        ("10,10,50,20,OPEN\n60,10,90,20,Daily\n20,42,60,58,menu\n", 1.0, 1.0),
        # One word is wrong, one found twice: two of three are found, one is right.
        ("10,10,50,20,Qpen\n60,10,90,20,daily\n61,10,90,20,daily\n", 4 / 5, 2 / 5),
        # Exactly half of the union is not more than half.
        ("10,10,30,20,Open\n60,10,90,20,daily\n", 1 / 2, 1 / 2),
        ("", 0.0, 0.0),
    ],
)
def test_precision_recall_and_f1_of_worked_examples(hypothesis, detection, end_to_end):
    metrics = ["detection_f1", "end_to_end_f1"]
    rates = evaluate([SHOP], {"a": [hypothesis]}, metrics=metrics, seed=1).systems["a"]
    assert [rates[metric].rate for metric in metrics] == pytest.approx([detection, end_to_end])


def test_precision_and_recall_divide_by_the_boxes_of_their_side():
    hypothesis = "10,10,50,20,Qpen\n60,10,90,20,daily\n61,10,90,20,daily\n"
    names = [f"{kind}_{score}" for kind in ("detection", "end_to_end") for score in ("precision", "recall")]
    rates = evaluate([SHOP], {"a": [hypothesis]}, metrics=names, normalizer="lower", seed=1).systems["a"]
    assert [rates[name].rate for name in names] == pytest.approx([2 / 3, 1, 1 / 3, 1 / 2])


def test_a_detector_needs_no_texts():
    hypothesis = "10 10 50 20\n60,10,90,10,90,20,60,20\n"
    rates = evaluate([SHOP], {"a": [hypothesis]}, metrics=["detection_f1", "end_to_end_f1"], seed=1).systems["a"]
    assert [rates[metric].rate for metric in rates] == [1.0, 0.0]


def test_boxes_have_to_overlap_as_much_as_is_asked():
    narrow = get_metric("end_to_end_f1(overlap=0.2)")
    counts = narrow.count(ScoredText([SHOP], ["10,10,30,20,Open\n"])).tolist()
    assert counts == [[1, 2, 1, 1]]
    assert "align:iou>0.2" in str(narrow.signature("none"))
    with pytest.raises(
        ConfigurationError, match=r"overlap of end_to_end_f1_overlap_1 is 1\.0, expected 0 or more, below 1\."
    ):
        get_metric("end_to_end_f1(overlap=1)")
    with pytest.raises(UnknownNameError, match="texts"):
        get_metric("end_to_end_f1(texts=some)")


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("a text", r"segment '1': line 2: expected 4 or 8 coordinates and a text, separated by commas\."),
        (
            "0,0,9,9,9,0,0,9,x",
            r"segment '1': line 2: the sides of the box cross; give its corners one after",
        ),
        ("0,0,9,0,99999999,9,0,9,x", r"segment '1': line 2: a corner is more than 10,000,000 pixels away\."),
    ],
)
def test_what_is_no_box_is_refused_with_its_line(line, refusal):
    with pytest.raises(InputValueError, match=refusal):
        evaluate([SHOP], {"a": [f"1,2,3,4,x\n{line}\n"]}, metrics="end_to_end_f1", seed=1)


def test_a_reference_without_boxes_counts_nothing_and_is_named():
    result = evaluate([SHOP, "a text"], {"a": [SHOP, "no box"]}, metrics="end_to_end_f1", seed=1)
    rate = result.systems["a"]["end_to_end_f1"]
    assert (rate.rate, rate.counts["compared"]) == (1.0, 1)
    (sentence,) = [sentence for sentence in result.warnings if "expected 4 or 8 coordinates" in sentence]
    assert "line 1: expected 4 or 8 coordinates and a text" in sentence
    with pytest.raises(UndefinedResultError, match="end_to_end_f1 can score none of the 1 segments"):
        evaluate(["a text"], {"a": ["no box"]}, metrics="end_to_end_f1", seed=1)


def test_files_of_both_sides_are_paired_and_scored(misread, tmp_path):
    for folder, name, content in (
        ("gt", "gt_img_1", SHOP),
        ("res", "res_img_1", "10,10,50,20,open\n60,10,90,20,bar\n"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.txt").write_text(content)
    names = ("--ref-pattern", "gt_*.txt", "--hyp-pattern", "res_*.txt")
    done = misread("score", "gt", "res", *names, "--metrics", "detection_f1,end_to_end_f1", "--output", "json")
    assert done.err == ""
    rates = done.json["systems"]["res"]
    assert (rates["detection_f1"]["micro"], rates["end_to_end_f1"]["micro"]) == (1.0, 0.5)


@pytest.mark.slow
def test_a_box_that_is_repeated_takes_no_longer(ends_within):
    # Half of a union, which floats do not decide.
    sides = ["0,0,100,40,a\n" * 300, "0,0,50,40,a\n" * 300]
    counts = ScoredText(sides[:1], sides[1:])
    assert ends_within(3.0, lambda: METRICS["detection_f1"].count(counts))
