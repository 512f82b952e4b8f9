import numpy as np
import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.normalize import get_normalizer, normalize
from misread.report.page import choice
from misread.report.page.choice import choose_segments
from misread.report.page.segments import view_segments
from misread.sockets import get_metrics
from misread.tally import ScoredSystem

NUMBER = 40


@pytest.fixture
def made(monkeypatch):
    """Texts and alignments of two systems on 40 segments, the second without some; 6 of the worst and 4 others."""
    monkeypatch.setattr(choice, "WORST", 6)
    monkeypatch.setattr(choice, "SAMPLE", 4)
    rng = np.random.default_rng(1)
    texts, alignments = {}, {}
    for system, missing in (("a", 0), ("b", 5)):
        ids = [f"s{row}" for row in range(NUMBER)]
        hypotheses = ["".join(rng.choice(list("abx"), rng.integers(0, 9))) for _ in ids]
        hypotheses[:missing] = [None] * missing
        capture = Capture(
            Origin("d", system), SegmentKeys(ids, None, {}), TextPairs(["abab"] * NUMBER, hypotheses), [None] * NUMBER
        )
        texts[system] = normalize(capture, get_normalizer("none"))
        alignments[system] = ScoredSystem(texts[system], get_metrics(["cer"]), "drop").alignments
    return texts, alignments


def viewed(texts, alignments):
    return view_segments(texts, alignments, list(texts)).segments


def test_the_worst_are_those_of_the_order_in_which_segments_are_shown(made):
    texts, alignments, _ = choose_segments(*made, named_ids=())
    worst = sorted(viewed(*made), key=lambda segment: segment.interest)[:6]
    kept = {segment.segment_id: segment for segment in viewed(texts, alignments)}
    assert {segment.interest for segment in worst} <= {segment.interest for segment in kept.values()}
    assert len(kept) == 10


def test_a_chosen_segment_is_as_it_is_among_all(made):
    texts, alignments, total = choose_segments(*made, named_ids=())
    every = {segment.segment_id: segment for segment in viewed(*made)}
    assert all(every[segment.segment_id] == segment for segment in viewed(texts, alignments))
    assert total == NUMBER


def test_segments_that_a_table_names_are_chosen(made):
    left_out = {f"s{row}" for row in range(NUMBER)} - {
        *choose_segments(*made, named_ids=())[0]["a"].segments.segment_id
    }
    assert left_out <= {*choose_segments(*made, named_ids=left_out)[0]["a"].segments.segment_id}


def test_a_small_data_set_is_chosen_as_a_whole(made, monkeypatch):
    monkeypatch.setattr(choice, "SAMPLE", NUMBER)
    texts, _, total = choose_segments(*made, named_ids=())
    assert len(texts["a"].segments) == total == NUMBER


@pytest.mark.slow
def test_the_page_says_how_many_segments_it_holds_and_which(books, html_of, monkeypatch):
    monkeypatch.setattr(choice, "WORST", 6)
    monkeypatch.setattr(choice, "SAMPLE", 4)
    assert "The explorer shows 10 of 40 segments of books: those on which systems disagree most" in html_of(books)
