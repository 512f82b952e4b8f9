"""Segments with nothing in them: of some, or of all, on either side or on both."""

import contextlib
import warnings

from hypothesis import given, settings
from hypothesis import strategies as st

from misread import evaluate
from misread.errors import MisreadError
from misread.sockets.metrics import METRICS
from misread.sockets.views import VIEWS, get_views

TEXTS = ("", " ", "a", "b", "a b", "\n", "\u0301", "hello there you this is fine now", '{"a": 1}')


@settings(deadline=None, max_examples=60)
@given(
    pairs=st.lists(
        st.tuples(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.sampled_from("pq")), min_size=1, max_size=8
    ),
    is_empty=st.tuples(st.booleans(), st.booleans()),
    metric=st.sampled_from([*METRICS]),
)
def test_every_metric_and_view_has_a_result_or_a_reason(pairs, is_empty, metric):
    references, hypotheses, clusters = map(list, zip(*pairs, strict=True))
    sides = [
        [""] * len(pairs) if blank else side for side, blank in zip((references, hypotheses), is_empty, strict=True)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            evaluation = evaluate(sides[0], {"x": sides[1], "y": hypotheses}, metrics=metric, clusters=clusters, seed=1)
        except MisreadError:
            return
    assert str(evaluation)
    for view in VIEWS:
        with contextlib.suppress(MisreadError):
            evaluation.lay_out_view(get_views([view], where="view")[0], view)
