"""kaldialign: edit_distance of words by str.split, and of code points; sclite_mode for sclite's costs."""

import kaldialign

EXPRESSES = {"unit": ["char", "word"], "costs": ["unit", "sclite"]}


def answer(case):
    """Counts of a corpus, pair by pair."""
    split = str.split if case["rule"]["unit"] == "word" else list
    sclite = "unit" not in case["rule"]["costs"]
    totals = {"length": 0, "errors": 0, "substitutions": 0, "deletions": 0, "insertions": 0}
    for reference, hypothesis in zip(case["references"], case["hypotheses"], strict=True):
        counts = kaldialign.edit_distance(split(reference), split(hypothesis), sclite_mode=sclite)
        totals["length"] += len(split(reference))
        for kind, name in (("errors", "total"), ("substitutions", "sub"), ("deletions", "del"), ("insertions", "ins")):
            totals[kind] += counts[name]
    return totals
