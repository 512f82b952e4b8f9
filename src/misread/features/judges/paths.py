"""Paths of judges' decisions and answers in the project's folder."""

from pathlib import Path

from misread.pipeline.paths import BUILD, DATA


def decisions(dataset: str, judge: str) -> Path:
    """Decisions of a judge on what the systems read; kept by Git, as they may have cost money."""
    return DATA / "judged" / dataset / f"{judge}.jsonl"


def journal(dataset: str, judge: str) -> Path:
    """Answers of a judge kept as they come."""
    return BUILD / "journal" / "judges" / dataset / f"{judge}.jsonl"
