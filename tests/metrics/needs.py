"""What metrics need beside texts, for tests of all of them."""

from dataclasses import replace
from pathlib import Path

from misread.features.word_classes import FrequencyErrorRate
from misread.metrics import ScoredText

COUNTS = Path(__file__).with_name("word_counts.tsv")


def annotated(references, hypotheses):
    """Texts with every annotation that a metric may ask for."""
    words, others = ([text.split() for text in side] for side in (references, hypotheses))
    turns = [
        [[{"speaker": "A", "words": text, "start_time": 0, "end_time": 9}] for text in side]
        for side in (references, hypotheses)
    ]
    return ScoredText(
        references,
        hypotheses,
        annotations={
            "biasing": [of[:1] for of in words],
            "confidence": [0.5] * len(others),
            "entities": [[["X"]] * len(of) for of in words],
            "nbest": [[text, text] for text in hypotheses],
            "ocr": list(hypotheses),
            "reference_turns": turns[0],
            "scores": [{"match": float(text == other)} for text, other in zip(references, hypotheses, strict=True)],
            "turns": turns[1],
        },
    )


def with_counts(metric):
    """A metric with the word counts that it may need."""
    return replace(metric, counts=COUNTS) if isinstance(metric, FrequencyErrorRate) else metric
