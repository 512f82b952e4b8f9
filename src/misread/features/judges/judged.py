"""Share of segments that a recorded judge did not accept."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from misread.errors import InputFileError, UndefinedResultError
from misread.features.judges.decision_files import Decisions, Undecided, read_decisions
from misread.io.text import read_text
from misread.metrics.base import Direction, Metric, ScoredText
from misread.types import IntArray


@dataclass(frozen=True)
class RecordedJudge(Metric):
    """Share of segments whose hypothesis a judge rejected, from recorded decisions.

    Decisions were recorded once by `misread judge record` and are looked up by the two texts, so that they are the same
    for every system. A hypothesis that equals its reference is accepted without a decision.

    Parameters
    ----------
    file : str
        File of decisions.
    undecided : {"error", "wrong", "drop"}
        What becomes of a pair without a decision: it is an error, counts as not accepted, or does not count.
    sha256 : str
        Beginning of the digest that the file has to have; in a study it makes a change of the file one of the settings.

    Raises
    ------
    InputFileError
        If the file is missing, is not one of decisions, or has another digest.
    """

    file: str = ""
    undecided: Undecided = "error"
    sha256: str = ""

    columns = ("wrong", "compared", "decided")
    rate_columns = ("wrong", "compared")
    decides = True
    files = ("file",)
    direction = Direction.LOWER_IS_BETTER

    @cached_property
    def decisions(self) -> Decisions:
        """All decisions of the file."""
        if not self.digest.startswith(self.sha256.lower()):
            raise InputFileError(
                f"{self.file} has the SHA-256 {self.digest[:16]}..., and {self.id} expects one that begins with "
                f"{self.sha256}; set sha256 of the metric, or bring the file back."
            )
        return read_decisions(Path(self.file))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(read_text(Path(self.file)).encode()).hexdigest()

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 3)."""
        counts = np.ones((len(pairs.references), 3), np.int64)
        lacking = []
        for row, texts in enumerate(zip(pairs.references, pairs.hypotheses, strict=True)):
            decision = self.decisions.by_texts.get(texts)
            same = texts[0] == texts[1] or (decision.same if decision else None)
            if same is None:
                lacking.append(row)
                counts[row] = (1, 1, 0) if self.undecided == "wrong" else 0
            else:
                counts[row, 0] = not same
                # Judges agree on equal texts, about which nobody asked them.
                counts[row, 2] = texts[0] != texts[1]
        if lacking and self.undecided == "error":
            reference, hypothesis = pairs.references[lacking[0]], pairs.hypotheses[lacking[0]]
            raise UndefinedResultError(
                f"{self.id}: {self.file} has no decision for the pair {reference!r} and {hypothesis!r}, the first that "
                "lacks one. Decide them with `misread judge record`, or choose undecided wrong or drop."
            )
        return counts

    def facts(self, norm: str) -> Mapping[str, str]:
        """Judge, digest of the decisions, rule for undecided pairs, normalizer."""
        judge = self.decisions.judge
        facts = {"judge": judge.get("model", "unknown")}
        if "prompt_sha256" in judge:
            facts["prompt"] = judge["prompt_sha256"][:8]
        return {"unit": "segment", **facts, "decisions": self.digest[:8], "undecided": self.undecided, "norm": norm}
