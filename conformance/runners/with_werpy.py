"""werpy: summary, one row per pair."""

import werpy

EXPRESSES = {"unit": ["word"], "costs": ["unit"]}


def answer(case):
    """Counts of a corpus, the sums of the rows."""
    table = werpy.summary(case["references"], case["hypotheses"])
    if table is None:
        raise ValueError("no table; werpy printed why")
    columns = {
        "length": "m",
        "errors": "ld",
        "substitutions": "substitutions",
        "deletions": "deletions",
        "insertions": "insertions",
    }
    return {kind: int(table[column].sum()) for kind, column in columns.items()}
