"""jiwer by its defaults: process_words and process_characters."""

import jiwer

EXPRESSES = {"unit": ["char", "word"], "costs": ["unit"]}


def answer(case):
    """Counts of a corpus."""
    process = jiwer.process_words if case["rule"]["unit"] == "word" else jiwer.process_characters
    output = process(case["references"], case["hypotheses"])
    parts = {kind: getattr(output, kind) for kind in ("substitutions", "deletions", "insertions")}
    return {
        "length": output.hits + output.substitutions + output.deletions,
        "errors": sum(parts.values()),
        **parts,
    }
