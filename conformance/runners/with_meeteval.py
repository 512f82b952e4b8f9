"""meeteval: siso_word_error_rate of pairs, and cp_word_error_rate of streams of speakers."""

from meeteval.wer import combine_error_rates, cp_word_error_rate, siso_word_error_rate

EXPRESSES = {"unit": ["word"], "costs": ["unit"], "method": ["alignment", "speakers"]}


def answer(case):
    """Counts of a corpus or of its sessions."""
    pairs = zip(case["references"], case["hypotheses"], strict=True)
    if case["rule"]["method"] == "speakers":
        rates = [cp_word_error_rate(spoken, heard) for spoken, heard in pairs]
        total = combine_error_rates(*rates)
        return {"length": total.length, "errors": total.errors}
    total = combine_error_rates(*(siso_word_error_rate(*pair) for pair in pairs))
    return {kind: getattr(total, kind) for kind in ("length", "errors", "substitutions", "deletions", "insertions")}
