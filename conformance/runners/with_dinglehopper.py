"""dinglehopper: character_error_rate_n, which counts graphemes, and word_error_rate_n, with the words of UAX #29."""

from dinglehopper import character_error_rate_n, word_error_rate_n

EXPRESSES = {"unit": ["grapheme", "word"], "costs": ["unit"]}


def answer(case):
    """Counts of a corpus, pair by pair: the rate times the length."""
    count = word_error_rate_n if case["rule"]["unit"] == "word" else character_error_rate_n
    totals = {"length": 0, "errors": 0}
    for reference, hypothesis in zip(case["references"], case["hypotheses"], strict=True):
        rate, length = count(reference, hypothesis)
        totals["length"] += length
        totals["errors"] += round(rate * length) if length else 0
        if not length and rate:
            return None
    return totals
