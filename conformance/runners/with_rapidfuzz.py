"""rapidfuzz: editops of code points, and of words by str.split; neighbours that changed places by OSA."""

from rapidfuzz.distance import OSA, Levenshtein

EXPRESSES = {"unit": ["char", "word"], "costs": ["unit", "transpositions"]}


def answer(case):
    """Counts of a corpus, pair by pair."""
    split = str.split if case["rule"]["unit"] == "word" else list
    pairs = [(split(a), split(b)) for a, b in zip(case["references"], case["hypotheses"], strict=True)]
    length = sum(len(reference) for reference, _ in pairs)
    if "unit" not in case["rule"]["costs"]:
        return {"length": length, "errors": sum(OSA.distance(*pair) for pair in pairs)}
    tags = [operation.tag for pair in pairs for operation in Levenshtein.editops(*pair)]
    return {
        "length": length,
        "errors": len(tags),
        "substitutions": tags.count("replace"),
        "deletions": tags.count("delete"),
        "insertions": tags.count("insert"),
    }
