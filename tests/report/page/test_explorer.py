import sys

import pytest

from misread.report.page.explorer import pack_part
from misread.report.page.media import Medium
from misread.report.page.payload import unpack
from misread.report.page.segments import view_segments
from misread.sockets import mark_segments
from misread.tables import ReportSettings, ViewInput
from misread.tally import ScoredSystem


def views_of(run_on, systems=("pero", "tesseract4", "kraken")):
    return view_segments(run_on.texts, run_on.alignments, systems)


def test_the_index_counts_every_operation_and_marks_what_is_missing(books):
    index = unpack(pack_part(views_of(books), {}, {"pero": "PERO"}, room=sys.maxsize).index)
    assert index["systems"][0] == {"id": "pero", "name": "PERO"}
    assert index["counts"]["characters"][0][:6] == [1, 0, 0, 0, 0, 0]
    assert index["counts"]["characters"][2][33:36] == [-1, -1, -1]
    assert index["same_wrong"] == [7]
    assert index["empty"] == [[], [], [12]]
    assert index["columns"][0]["values"] == ["book-0", "book-1", "book-2", "book-3"]
    # One system is never wrong the same way.
    assert unpack(pack_part(views_of(books, ["pero"]), {}, {}, room=sys.maxsize).index)["same_wrong"] == []


def test_raw_texts_are_packed_where_the_normalizer_changed_them(run_on):
    views = view_segments(*(lambda of: (of.texts, of.alignments))(run_on(["a  b"], {"a": ["a b"]})), ["a"])
    (segment,) = unpack(pack_part(views, {}, {}, room=sys.maxsize).chunks[0])
    assert segment[:3] == ["a b", "a  b", [["a b", 0]]]


@pytest.mark.slow
def test_a_part_holds_the_disputed_segments_first_and_is_the_same_every_time(run_on):
    # Random letters cannot be packed much.
    references = [f"{hash(('x', number)) & 0xFFFFFFFF:x}" * 1 + str(number) for number in range(3000)]
    wrong = [f"{text}x" if number % 100 == 0 else text for number, text in enumerate(references)]
    views = view_segments(
        *(lambda of: (of.texts, of.alignments))(run_on(references, {"a": references, "b": wrong})), ["a", "b"]
    )
    whole = pack_part(views, {}, {}, room=sys.maxsize)
    part = pack_part(views, {}, {}, room=whole.size // 2)
    assert part.size <= whole.size // 2
    assert (part.total, part.shown) == (3000, len(unpack(part.index)["ids"]))
    assert 600 < part.shown < 3000
    ids = set(unpack(part.index)["ids"])
    assert {f"line-{number:03}" for number in range(0, 3000, 100)} <= ids
    assert pack_part(views, {}, {}, room=whole.size // 2) == part


def test_media_are_found_by_the_position_of_their_segment(books):
    media = {
        "line-002": Medium("image", "data:image/png;base64,AA==", "a.png"),
        "line-003": Medium("file", "", "b.tif"),
    }
    packed = pack_part(views_of(books), media, {}, room=sys.maxsize)
    assert unpack(packed.index)["media"] == {"2": ["image", True, "a.png"], "3": ["file", False, "b.tif"]}
    assert packed.media == {2: "data:image/png;base64,AA=="}


def test_flagged_segments_are_found_by_kind_and_system_and_say_why(run_on):
    texts = ["we meet at ten", "good night"]
    looping = ["we meet at ten at ten at ten at ten at ten", "good night"]
    made = run_on(texts, {"a": texts, "b": looping})
    scored = {system: ScoredSystem(of, [], "error") for system, of in made.texts.items()}
    marks = mark_segments(ViewInput("books", scored, ReportSettings(["cer"])), ["flags"])
    packed = pack_part(view_segments(made.texts, made.alignments, ["a", "b"], marks), {}, {}, room=sys.maxsize)
    assert unpack(packed.index)["flags"] == {"loop": [[], [0]], "long": [[], [0]]}
    first, second = unpack(packed.chunks[0])
    assert first[2][1][2][0] == ["loop", 7, 42, "' at ten' 5 times, 83 % of the text"]
    assert len(second[2][1]) == 2
