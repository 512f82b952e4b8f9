"""Decisions of a judge on pairs of texts: asked once, kept in a journal, and written to be looked up."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Final

from misread.data.segment_table import Source
from misread.engines import Journal, Processes, Readings
from misread.engines.base import Reading
from misread.errors import InputFileError, InputValueError
from misread.features.judges.decision_files import Decision, Decisions
from misread.features.judges.openai_judge import OpenAIJudge
from misread.normalize.normalized_texts import NormalizedTexts

Pair = tuple[str, str]

_QUOTED: Final = 40
_YES = frozenset({"true", "yes", "1", "same"})
_NO = frozenset({"false", "no", "0", "different"})


def pairs_to_judge(texts: Iterable[NormalizedTexts]) -> list[Pair]:
    """Normalized references and hypotheses that differ, each pair once, of all systems and runs."""
    pairs: dict[Pair, None] = {}
    for outputs in texts:
        for run in (outputs, *outputs.further_runs):
            for reference, hypothesis in zip(run.normalized.references, run.normalized.hypotheses, strict=True):
                if hypothesis is not None and hypothesis != reference:
                    pairs[reference, hypothesis] = None
    return list(pairs)


def ask_judge(
    judge: OpenAIJudge,
    pairs: Sequence[Pair],
    journal: Path,
    *,
    earlier: Decisions | None = None,
    retry_failed: bool = False,
    on_reading: Callable[[Reading], None] = lambda _: None,
) -> Decisions:
    """Decide pairs: those that `earlier` or the journal know without a question, the others by the server.

    What was decided earlier counts if the same judge did. An answer that is not a decision is kept too, and asked for
    again only with `retry_failed`. A server is needed only if something has to be asked.
    """
    decided = _decided_by(judge, pairs, earlier)
    open_pairs = [pair for pair in pairs if pair not in decided]
    sources = [Source(_short(pair), question=judge.question(*pair)) for pair in open_pairs]
    if sources:
        with Journal(journal, judge.asked) as records:
            readings = Readings(sources, judge, Processes(), records, retry_failed=retry_failed)
            readings.read(on_reading)
            decided |= {
                pair: Decision(None if reading.text is None else reading.text == "yes", reading.raw, reading.reason)
                for pair, reading in zip(open_pairs, readings, strict=True)
            }
    return Decisions(judge.versions(), decided)


def _decided_by(judge: OpenAIJudge, pairs: Sequence[Pair], earlier: Decisions | None) -> dict[Pair, Decision]:
    """Earlier decisions of the same judge on these pairs."""
    if earlier is None or earlier.judge.get("settings_sha256") != judge.settings_digest:
        return {}
    known = earlier.by_texts
    return {pair: known[pair] for pair in pairs if pair in known and known[pair].same is not None}


def take_decisions(recorded: Decisions, pairs: Sequence[Pair], *, file: Path) -> Decisions:
    """Those of recorded decisions that are on these pairs.

    Raises InputFileError if there are pairs and none of them was decided: the decisions are on other texts.
    """
    decisions = {pair: recorded.by_texts[pair] for pair in pairs if pair in recorded.by_texts}
    if pairs and not decisions:
        raise InputFileError(
            f"{file} has {len(recorded.by_texts):,} decisions, none of them on the {len(pairs):,} pairs of texts here "
            f"(the first: {_quote(pairs[0][0])} and {_quote(pairs[0][1])}): they are of other segments, or of another "
            "normalizer."
        )
    return Decisions(recorded.judge, decisions)


def import_decisions(
    judge: Mapping[str, str], texts: Mapping[str, NormalizedTexts], decided: Mapping[str, Sequence[str | None]]
) -> Decisions:
    """Take decisions that somebody else made, by system and segment; None or "" is open.

    Raises InputValueError for another word, or a pair of texts that was decided in two ways.
    """
    by_texts: dict[Pair, Decision] = {}
    for system, words in decided.items():
        outputs = texts[system]
        for row, word in enumerate(words):
            reference, hypothesis = outputs.normalized.references[row], outputs.normalized.hypotheses[row]
            segment_id = outputs.segments.segment_id[row]
            same = _decision(word, f"{system}, segment {segment_id!r}")
            if hypothesis is None or hypothesis == reference or same is None:
                continue
            earlier = by_texts.setdefault((reference, hypothesis), Decision(same, word))
            if earlier.same != same:
                raise InputValueError(
                    f"{system}, segment {segment_id!r}: {_quote(hypothesis)} for {_quote(reference)} is decided in two "
                    f"ways, {earlier.raw!r} and {word!r}; a judge decides equal texts alike."
                )
    return Decisions(judge, by_texts)


def _decision(word: str | None, where: str) -> bool | None:
    if word is None or not word.strip():
        return None
    said = word.strip().casefold()
    if said not in _YES | _NO:
        raise InputValueError(
            f"{where}: the decision is {word!r}, expected {', '.join(sorted(_YES))}, or {', '.join(sorted(_NO))}."
        )
    return said in _YES


def _quote(text: str) -> str:
    return repr(shorten(text, _QUOTED, placeholder=" ..."))


def _short(pair: Pair) -> str:
    """Name of a pair for messages."""
    return hashlib.sha256("\x1e".join(pair).encode()).hexdigest()[:12]
