"""Decisions of a judge on pairs of texts, and their files: JSON Lines, the judge first, then a pair per line."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from misread.errors import ConfigurationError, InputFileError, OutputFileError
from misread.io.json_files import decode_json, write_text
from misread.io.layouts import check_layout, stamp
from misread.io.text import read_text, split_lines
from misread.text.nouns import count_of

Undecided = Literal["error", "wrong", "drop"]
"""Policy for a pair of texts that a judge left open: an error, not accepted, or not counted."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a judge finds that two texts say the same: None where it did not decide."""

    same: bool | None
    raw: str | None = None  # what it answered
    reason: str | None = None  # why it did not decide


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """Settings of a judge of a study that are not those of its class."""

    undecided: Undecided = "error"


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions of one judge, by reference and hypothesis."""

    judge: Mapping[str, str]  # model, digest of the prompt, version
    by_texts: Mapping[tuple[str, str], Decision]


_TEXTS = ("reference", "hypothesis")


def write_decisions(path: Path, decisions: Decisions) -> None:
    """Write decisions in the order of their texts, so that the same ones make the same file."""
    rows: list[dict[str, Any]] = [{**stamp("decisions"), "judge": dict(decisions.judge)}]
    for (reference, hypothesis), decision in sorted(decisions.by_texts.items()):
        row = {"reference": reference, "hypothesis": hypothesis, "same": decision.same}
        rows.append(row | {name: value for name in ("raw", "reason") if (value := getattr(decision, name)) is not None})
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def refuse_loss(path: Path, decisions: Decisions) -> None:
    """Raise OutputFileError if these decisions in place of a file would lose some that people have made."""
    if path.is_file() and (lost := _count_lost(read_decisions(path), decisions)):
        raise OutputFileError(
            f"{path} has {count_of(lost, 'decision')} by people that would be lost; name another file, or delete it."
        )


def _count_lost(before: Decisions, after: Decisions) -> int:
    """Decisions that no answer of a server has given, and that are not among those of afterwards."""
    lost = 0
    for texts, decision in before.by_texts.items():
        now = after.by_texts.get(texts)
        is_typed = decision.raw is None or decision.reason is not None or (now and before.judge == after.judge)
        lost += bool(is_typed) and decision.same is not None and (now is None or now.same != decision.same)
    return lost


def read_decisions(path: Path) -> Decisions:
    """Read decisions; raises InputFileError that names the line that is not one."""
    first, *lines = [
        (number, line) for number, line in enumerate(split_lines(read_text(path)), start=1) if line.strip()
    ] or [(1, "null")]
    judge = decode_json(first[1], path, line=first[0])
    if not isinstance(judge, dict) or not isinstance(judge.get("judge"), dict):
        raise InputFileError(
            f'{path}, line {first[0]}: expected {{"judge": {{...}}}}, as `misread judge record` writes it.'
        )
    if "format" in judge:
        check_layout(path, "decisions", judge["format"], command="misread judge record")
    by_texts: dict[tuple[str, str], Decision] = {}
    for number, line in lines:
        row = decode_json(line, path, line=number)
        where = f"{path}, line {number}"
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _TEXTS):
            raise InputFileError(f"{where}: expected an object with reference and hypothesis.")
        if not (row.get("same") is None or isinstance(row["same"], bool)):
            raise InputFileError(f"{where}: same is {row['same']!r}, expected true, false, or null where it is open.")
        texts = (row["reference"], row["hypothesis"])
        if texts in by_texts:
            raise InputFileError(f"{where}: this pair of texts was decided before; keep one of the decisions.")
        by_texts[texts] = Decision(row.get("same"), row.get("raw"), row.get("reason"))
    return Decisions({str(name): str(value) for name, value in judge["judge"].items()}, by_texts)


class Judge(ABC):
    """Settings of a judge, which decides whether a hypothesis says the same as its reference."""

    @abstractmethod
    def versions(self) -> Mapping[str, str]:
        """Versions that the decisions depend on; they are in the first line of the decisions' file."""


@dataclass(frozen=True, kw_only=True)
class RecordedDecisions(Judge):
    """Decisions that `misread judge record` has written for each data set; nobody is asked again.

    Parameters
    ----------
    file : str
        Its path below `data/DATASET`, so that a change of it is noticed.

    Raises
    ------
    ConfigurationError
        If the path leads out of that folder.
    """

    file: str

    def __post_init__(self) -> None:
        path = PurePosixPath(self.file)
        if not self.file or path.is_absolute() or ".." in path.parts:
            raise ConfigurationError(
                f"file is {self.file!r}, expected a path below the folder data/DATASET of each data set, such as "
                "anna.jsonl."
            )

    def versions(self) -> Mapping[str, str]:
        """No versions: the file says everything."""
        return {}
