"""Word error rates of recordings with several speakers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from misread.errors import ConfigurationError, InputTextError
from misread.features.speakers.assignment import assign_turns, permute_speakers, permute_with_times
from misread.features.speakers.turns import by_speaker, read_turns
from misread.metrics.base import Direction, InputKind, Kind, Metric, ScoredText
from misread.types import IntArray

SpeakerRate = Literal["permutation", "timed_permutation", "turns", "attribution"]


@dataclass(frozen=True)
class SpeakerErrorRate(Metric):
    """Word errors of a session with several speakers over all words of the reference.

    Segments are sessions, whose turns are the annotations "reference_turns" and "turns": lists of objects with speaker,
    words, start_time and end_time.

    Parameters
    ----------
    rate_of : {"permutation", "timed_permutation", "turns", "attribution"}
        "permutation" (cpWER): what each speaker says is one text; speakers are those of the other side that leave the
        fewest errors. "timed_permutation" (tcpWER): the same, where words are aligned only if their times overlap.
        "turns" (ORC-WER): each turn may be in any stream of the hypothesis, whoever speaks: errors of recognition.
        "attribution": what cpWER has beyond that, words that were given to somebody else.
    collar : float
        Seconds by which words of the hypothesis may be early or late in tcpWER.

    References
    ----------
    Watanabe et al. (2020), CHiME-6 challenge; von Neumann et al. (2023), MeetEval: a toolkit for computation of word
    error rates for meeting transcription systems; Sklyar et al. (2022), Multi-turn RNN-T for streaming recognition of
    multi-party speech.
    """

    rate_of: SpeakerRate = "permutation"
    collar: float = 5.0

    direction = Direction.LOWER_IS_BETTER
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")
    reference_annotations = ("reference_turns",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.collar < float("inf"):
            raise ConfigurationError(f"collar of {self.id} is {self.collar}, expected seconds from 0.")

    input_kind: ClassVar[InputKind] = "sessions"

    @property
    def columns(self) -> tuple[str, ...]:
        """Errors and words; kinds of errors where it is known which word was read for which."""
        kinds = ("substitutions", "deletions", "insertions") if self.rate_of in ("permutation", "turns") else ()
        return ("errors", "length", *kinds, "reference_speakers", "speakers")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every session, shape (sessions, columns)."""
        with_times = self.rate_of == "timed_permutation"
        rows = []
        values = (pairs.annotation(name, self.id) for name in ("reference_turns", "turns"))
        for row, (expected, found) in enumerate(zip(*values, strict=True)):
            name = pairs.name(row)
            references = read_turns(expected, f"the reference of {name}", with_times=with_times)
            # A session that was not read has no turns, whatever the policy for missing texts says of it.
            hypotheses = read_turns(
                [] if found is None and not pairs.hypotheses[row] else found, name, with_times=with_times
            )
            length = sum(len(turn.words) for turn in references)
            speakers, others = by_speaker(references), by_speaker(hypotheses)
            kinds: Sequence[int] = ()
            try:
                if self.rate_of == "timed_permutation":
                    errors = permute_with_times(speakers, others, self.collar)
                elif self.rate_of == "attribution":
                    errors = permute_speakers(speakers, others).errors - assign_turns(references, others).errors
                else:
                    of_turns = self.rate_of == "turns"
                    errors, *kinds = (
                        assign_turns(references, others) if of_turns else permute_speakers(speakers, others)
                    )
            except InputTextError as error:
                raise InputTextError(f"{self.id}, {name}: {error}") from None
            rows.append((errors, length, *kinds, len(speakers), len(others)))
        return np.array(rows, np.int64).reshape(len(rows), len(self.columns))

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, how speakers are assigned."""
        collar = f"-collar-{self.collar:g}" if self.rate_of == "timed_permutation" else ""
        return {"unit": "word", "norm": norm, "align": "unit", "speakers": f"{self.rate_of}{collar}", "empty": "null"}
