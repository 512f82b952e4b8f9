"""A small corpus scored at once, and in parts that went to another process and back."""

import pickle

from tests.whole_tables import write_alignments, write_confusions, write_scores

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import MisreadError
from misread.normalize import get_normalizer, normalize
from misread.pipeline.scored_parts import plan_parts, score_part, write_parts

FILES = ("scores", "alignments", "confusions")


def of_pairs(*pairs, normalizer="whitespace"):
    references, hypotheses = zip(*pairs, strict=True)
    keys = SegmentKeys([f"s{row}" for row in range(len(pairs))], None, {})
    capture = Capture(Origin("books", "m"), keys, TextPairs(references, hypotheses), [None] * len(pairs))
    return normalize(capture, get_normalizer(normalizer))


def outcome(work):
    """What comes of it, or its error."""
    try:
        return work()
    except MisreadError as error:
        return type(error), str(error)


def sent(what):
    """As it arrives in another process."""
    return pickle.loads(pickle.dumps(what))  # noqa: S301


def elsewhere(function, tasks):
    """Results of tasks that another process does."""
    return (sent(function(sent(task))) for task in tasks)


def scored_at_once(system, folder):
    alignments, confusions = system.alignments, system.confusions
    write_scores(folder / "scores", system.scores)
    write_alignments(folder / "alignments", alignments)
    write_confusions(folder / "confusions", confusions)
    return [(folder / name).read_bytes() for name in FILES]


def scored_in_parts(path, folder, metrics, missing, most_rows):
    made = folder / "parts"
    made.mkdir()
    tasks = plan_parts(path, metrics, made, missing=missing, checked=2, most_rows=most_rows)
    parts = elsewhere(score_part, tasks)
    try:
        write_parts(parts, **{name: folder / name for name in FILES})
    except MisreadError:
        assert not any((folder / name).exists() for name in FILES)
        raise
    assert not [*made.iterdir()]
    return [(folder / name).read_bytes() for name in FILES]
