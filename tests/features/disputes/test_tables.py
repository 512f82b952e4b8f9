"""Tables that a person fills, and what is said of those that were filled wrongly."""

import csv
import json
from functools import partial

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import misread
from misread.errors import InputFileError, UnknownNameError
from misread.features.disputes.tables import read_draw, read_filled

from .made_readings import fill_csv, fill_lines, make_lines, misread_at_random, write_csv

LINES = make_lines(12)
SYSTEMS = {name: misread_at_random(LINES, 0.06, seed) for name, seed in (("alpha", 2), ("beta", 3))}
PAGES = [f"page {number // 3}" for number in range(12)]


def find(systems=SYSTEMS, **settings):
    return misread.dispute(systems, **{"seed": 1, "clusters": PAGES, "budget": 10_000, **settings})


@pytest.fixture(params=["spans.csv", "spans.jsonl"])
def path(request, tmp_path):
    path = tmp_path / request.param
    find().save(path)
    return path


@pytest.fixture
def fill(path):
    return partial(fill_lines if path.suffix == ".jsonl" else fill_csv, path)


def test_what_was_typed_is_read_by_span(path, fill):
    disputes = find()
    fill([f" t{number}" for number in range(len(disputes) - 3)] + ["[?]", "[]", None])
    truths = read_filled(path, disputes).truths
    *typed, unreadable, nothing = truths.values()
    assert typed == [f" t{number}" for number in range(len(disputes) - 3)]
    assert (unreadable, nothing) == (None, "")
    assert [*truths] == [span.key for span in disputes.spans][:-1]


def test_no_system_is_named_and_readings_are_in_no_order(path):
    text = path.read_text(encoding="utf-8")
    assert "alpha" not in text
    assert "beta" not in text
    disputes = find()
    spans = [span for span in disputes.spans if len(span.readings) == 2]
    firsts = [span.readings[0] == disputes.drawn[span.key].readings(disputes.texts)[0] for span in spans]
    assert 0.2 < sum(firsts) / len(firsts) < 0.8


def test_neither_names_nor_order_of_systems_change_the_spans(path, tmp_path):
    other = tmp_path / f"other{path.suffix}"
    find({"x": SYSTEMS["beta"], "a": SYSTEMS["alpha"]}).save(other)
    assert other.read_bytes() == path.read_bytes()


def test_another_seed_shows_readings_in_another_order():
    shown = [[span.readings for span in find(budget=None, seed=seed).spans] for seed in (1, 2)]
    assert shown[0] != shown[1]
    assert [sorted(readings) for readings in shown[0]] == [sorted(readings) for readings in shown[1]]


def test_what_stands_around_a_span_does_not_say_what_was_read_elsewhere():
    systems = {"a": ["the quick brown fox jumps"], "b": ["the qu1ck brown f0x jump5"]}
    spans = misread.dispute(systems, seed=1).spans
    assert [(span.before, span.after) for span in spans] == [
        ("the q", "k brown … jum…"),
        ("the q…k brown ", " jum…"),
        ("the q…k brown … jum", ""),
    ]


def show_all(disputes, stretch, start, end):
    """The whole first text from start to end, with … for other disputes."""
    text, parts = disputes.texts[0][stretch.row], []
    for other in disputes.disputed[stretch.row]:
        if other is not stretch and start <= other.starts[0] and other.ends[0] <= end:
            parts += [text[start : other.starts[0]], "…"]
            start = other.ends[0]
    return "".join([*parts, text[start:end]])


@pytest.mark.parametrize("every", [3, 7, 40, 300])
def test_what_stands_around_a_span_is_the_nearest_of_the_whole_text(every):
    text = " ".join(make_lines(20))
    other = "".join("#" if index % every == 0 else letter for index, letter in enumerate(text))
    disputes = misread.dispute({"a": [text], "b": [other]}, seed=1, context=0)
    for span, stretch in zip(disputes.spans, disputes.drawn.values(), strict=True):
        assert span.before == show_all(disputes, stretch, 0, stretch.starts[0])[-30:]
        assert span.after == show_all(disputes, stretch, stretch.ends[0], len(disputes.texts[0][0]))[:30]


def test_spans_of_a_long_text_take_no_longer_than_its_length(ends_within):
    texts = {"a": ["lorem ipsum " * 8000], "b": ["lorem ipsvm " * 8000]}
    assert ends_within(5, lambda: misread.dispute(texts, seed=1).spans)


def test_the_draw_is_read_from_the_file(path):
    assert read_draw(path) == find().draw


def test_a_place_in_an_image_is_in_the_table(tmp_path):
    disputes = find(media=[f"images/{number}.png" for number in range(12)])
    disputes.save(tmp_path / "spans.csv")
    with (tmp_path / "spans.csv").open(newline="") as file:
        pages = {row["segment"]: row["page"] for row in csv.DictReader(file)}
    assert pages["3"] == "2.png"


def test_a_span_that_is_there_twice_is_refused_by_its_line(path):
    rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*rows, rows[2]]) + "\n", encoding="utf-8")
    with pytest.raises(InputFileError, match=rf"line {len(rows) + 1}: the span of segment '\d+' was there before .*3"):
        read_filled(path, find())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"systems": {**SYSTEMS, "beta": [*SYSTEMS["beta"][:-1], "other"]}},
            r"the texts are others than those that the spans were made of; \d+ of \d+ spans no longer fit",
        ),
        ({"systems": {**SYSTEMS, "c": LINES}}, "the spans are of 2 systems, and there are 3"),
        ({"normalizer": "lower"}, "made with normalizer='none', and these are with normalizer='lower@"),
        ({"clusters": PAGES[::-1]}, "the spans were drawn from other clusters than these"),
        ({"context": 3}, "made with context='1', and these are with context='3'"),
    ],
)
def test_spans_that_no_longer_fit_are_refused_with_the_reason(path, changes, message):
    with pytest.raises(InputFileError, match=message):
        read_filled(path, find(**changes))


def test_a_key_that_was_changed_is_refused_by_its_line(tmp_path):
    path = tmp_path / "spans.csv"
    find().save(path)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rows[4]["key"] = "0"
    write_csv(path, rows)
    with pytest.raises(InputFileError, match=r"spans\.csv, line 6: key '0' is that of no span"):
        read_filled(path, find())


def test_files_of_another_kind_are_refused(tmp_path):
    table, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    table.write_text("key,truth\n1,2\n")
    lines.write_text('{"key": "1", "truth": "2"}\n')
    with pytest.raises(InputFileError, match=r"a\.csv has no column 'made_with'"):
        read_filled(table, find())
    with pytest.raises(InputFileError, match=r'a\.jsonl, line 1: expected \{"kind": "disputes"'):
        read_filled(lines, find())


def test_lines_that_are_no_spans_are_refused(tmp_path):
    path = tmp_path / "spans.jsonl"
    find().save(path)
    first = path.read_text(encoding="utf-8").splitlines()[0]
    for row, message in (([1], "line 2: expected an object"), ({"key": "a", "truth": 3}, "line 2: truth is 3")):
        path.write_text(f"{first}\n{json.dumps(row)}\n")
        with pytest.raises(InputFileError, match=message):
            read_filled(path, find())
    path.write_text(first.replace('"format": 1', '"format": 9') + "\n")
    with pytest.raises(InputFileError, match="has layout 9, this version reads layout 1"):
        read_filled(path, find())


ODD = st.text("a =-@'[]?\\t\t\n\u00a0", max_size=5) | st.sampled_from(["[?]", "[]", " ", "=x", "'=x", "\t", "\\t"])


@given(readings=st.lists(ODD, min_size=2, max_size=3, unique=True), turn=st.integers(0, 2))
@example(["\t", "\\t"], 0)
@example(["=x", "'=x"], 0)
@example(["y", "y "], 1)
@example(["[?]", "[]"], 0)
def test_a_reading_that_is_taken_is_that_reading(tmp_path_factory, readings, turn):
    disputes = misread.dispute({str(number): [text] for number, text in enumerate(readings)}, seed=1, context=9)
    (span,) = disputes.spans
    reading = span.readings[turn % len(span.readings)]
    assume(reading)
    folder = tmp_path_factory.mktemp("spans")
    disputes.save(folder / "spans.csv")
    disputes.save(folder / "spans.jsonl")
    with (folder / "spans.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    fill_csv(folder / "spans.csv", [row[f"reading_{1 + span.readings.index(reading)}"]])
    fill_lines(folder / "spans.jsonl", [reading])
    for name in ("spans.csv", "spans.jsonl"):
        assert read_filled(folder / name, disputes).truths == {span.key: reading}


def test_no_cell_is_a_formula(tmp_path):
    disputes = misread.dispute({"a": ["=one two"], "b": ["=oue two"]}, seed=1, context=4, ids=["@x"])
    disputes.save(tmp_path / "spans.csv")
    with (tmp_path / "spans.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert not [cell for cell in row.values() if cell[:1] in tuple("=+-@")]
    fill_csv(tmp_path / "spans.csv", ["'=1+1"])
    assert [*read_filled(tmp_path / "spans.csv", disputes).truths.values()] == ["=1+1"]


def test_a_blank_that_nobody_read_leaves_a_span_open(path, fill):
    disputes = find()
    fill([" "] * len(disputes))
    assert read_filled(path, disputes).truths == {}


def test_marks_have_a_field_of_their_own(path, fill):
    disputes = misread.dispute({"a": ["[?]", "x", "[]"], "b": ["[]", "y", "z"]}, seed=1)
    path.unlink()
    disputes.save(path)
    fill(["[?]", "[?]", "[]"])
    assert [*read_filled(path, disputes).truths.values()] == ["[?]", None, "[]"]
    fill([""] * 3, column="mark")
    fill(["", "", ""])
    fill(["unreadable", "nothing", ""], column="mark")
    assert [*read_filled(path, disputes).truths.values()] == [None, ""]
    fill(["?", "", ""], column="mark")
    with pytest.raises(UnknownNameError, match=r"unknown mark '\?' in .*line 2"):
        read_filled(path, disputes)
    fill(["nothing", "", ""], column="mark")
    fill(["x", "", ""])
    with pytest.raises(InputFileError, match=r"line 2: truth is 'x' and mark 'nothing'; give one of them"):
        read_filled(path, disputes)


def test_other_clusters_change_nothing_where_nothing_was_drawn(tmp_path):
    path = tmp_path / "spans.jsonl"
    find(budget=None).save(path)
    assert read_filled(path, find(budget=None, clusters=PAGES[::-1])).truths == {}
