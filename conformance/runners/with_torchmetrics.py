"""torchmetrics: word_error_rate and char_error_rate, which give a rate alone."""

import math

from torchmetrics.functional.text import char_error_rate, word_error_rate

EXPRESSES = {"unit": ["char", "word"], "costs": ["unit"]}


def answer(case):
    """Rate of a corpus; None where it is not a number."""
    rate = word_error_rate if case["rule"]["unit"] == "word" else char_error_rate
    value = float(rate(case["hypotheses"], case["references"]))
    return {"rate": value} if math.isfinite(value) else None
