from types import SimpleNamespace

import numpy as np

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextFacts, TextPairs
from misread.normalize import Normalizer, normalize
from misread.revisions.diff import find_movers
from misread.revisions.matching import AFTER, BEFORE
from misread.sockets import METRICS
from misread.tally.scores import Counts


def results(hypotheses):
    """Texts of one system whose references read in several ways."""
    keys = SegmentKeys(["s1", "s2"], None, {})
    references = ["so { um / uh } go", "x"]
    origin = Origin("talks", "a", facts=TextFacts(alternatives="references"))
    texts = normalize(Capture(origin, keys, TextPairs(references, hypotheses), [None, None]), Normalizer("none", []))
    return SimpleNamespace(texts=lambda _dataset, _system: texts)


def test_a_segment_that_moved_shows_the_reading_that_was_taken():
    wer = METRICS["wer"]
    counts = {
        side: {"wer": Counts(wer.columns, np.array([[errors, 3, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]]))}
        for side, errors in ((BEFORE, 0), (AFTER, 1))
    }
    shared = SimpleNamespace(counts=counts, keys=SegmentKeys(["s1", "s2"], None, {}))
    before, after = results(["so um go", "x"]), results(["so uh goo", None])
    (mover,) = find_movers(before, after, "talks", {"a": SimpleNamespace(shared=shared)}, wer, 5)
    assert (mover.segment_id, mover.reference, mover.before, mover.after) == ("s1", "so uh go", "so um go", "so uh goo")
