"""misread: its public functions, and its own normalizer on the texts as they are."""

import os
import tempfile
from pathlib import Path

import misread
from misread.alignment import align_alternatives
from misread.compiled.budget import use_machine_code
from misread.data import read_segment_files
from misread.metrics import ScoredText

EXPRESSES = {
    "unit": ["char", "grapheme", "word"],
    "costs": ["unit", "sclite", "transpositions"],
    "method": ["alignment", "speakers", "bag"],
    "notation": ["plain", "trn", "stm_ctm"],
    "pooling": ["sum", "mean"],
}
NORMALIZES = True
STEPS = {"casefold": "fold_case", "lower": "lower_case", "collapse_white_space": "collapse_whitespace"}
RATES = {"char": misread.cer, "grapheme": misread.ger, "word": misread.wer}

# Short pairs are otherwise counted in plain Python, and all others by compiled kernels.
if os.environ.get("MISREAD_KERNELS"):
    use_machine_code()


def answer(case):
    """Counts of a corpus, or the mean of its rates."""
    rule = case["rule"]
    change = misread.Normalizer("rule", [STEPS.get(step, step) for step in rule["normalization"]])
    references, hypotheses = (
        [change(text) if isinstance(text, str) else [*map(change, text)] for text in case[side]]
        for side in ("references", "hypotheses")
    )
    if rule["method"] == "speakers":
        return count("cp_wer", [""] * len(references), [""] * len(references), turns(references), turns(hypotheses))
    if rule["method"] == "bag":
        return count("bag_of_words_error", references, hypotheses)
    if rule["pooling"] == "mean":
        rates = [RATES[rule["unit"]](*pair) for pair in zip(references, hypotheses, strict=True)]
        return {"rate": sum(rates) / len(rates)}
    if rule["notation"] == "stm_ctm":
        references, hypotheses = read_timed(references, hypotheses)
    if rule["notation"] == "trn":
        counts = align_alternatives(references, hypotheses, alignment=rule["costs"][0]).counts
    else:
        counts = misread.error_counts(references, hypotheses, unit=rule["unit"], alignment=rule["costs"][0])
    kinds = {"length": "reference_length", "errors": "errors", "deletions": "deletions", "insertions": "insertions"}
    if rule["costs"] != ["transpositions"]:
        kinds["substitutions"] = "substitutions"
    return {kind: int(getattr(counts, name).sum()) for kind, name in kinds.items()}


def count(metric, references, hypotheses, spoken=(), heard=()):
    """Errors and length that a metric counts."""
    annotations = {"reference_turns": spoken, "turns": heard} if spoken else {}
    counts = misread.METRICS[metric].count(ScoredText(references, hypotheses, annotations=annotations)).sum(axis=0)
    return {"errors": int(counts[0]), "length": int(counts[1])}


def turns(sessions):
    """Streams of sessions, one turn each."""
    return [[{"speaker": str(row), "words": words} for row, words in enumerate(streams)] for streams in sessions]


def read_timed(references, hypotheses):
    """Texts of the segments of STM files, and what CTM files have in them."""
    sides = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for stm, ctm in zip(references, hypotheses, strict=True):
            (folder / "r.stm").write_text(stm, encoding="utf-8")
            (folder / "h.ctm").write_text(ctm, encoding="utf-8")
            table = read_segment_files(folder / "r.stm", {"h": folder / "h.ctm"}, "stm", "ctm")
            sides[0].extend(table.references)
            sides[1].extend(text or "" for text in table.hypotheses["h"])
    return sides
