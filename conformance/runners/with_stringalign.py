"""stringalign: compute_cer, which counts graphemes in NFC, and compute_wer; a rate alone, of one pair."""

import math

from stringalign.evaluate import compute_cer, compute_wer

EXPRESSES = {"unit": ["grapheme", "word"], "costs": ["unit"]}


def answer(case):
    """Rate of a pair; None for several pairs, and where it is not a number."""
    if len(case["references"]) > 1:
        return None
    compute = compute_wer if case["rule"]["unit"] == "word" else compute_cer
    rate, _ = compute(case["references"][0], case["hypotheses"][0])
    return {"rate": rate} if math.isfinite(rate) else None
