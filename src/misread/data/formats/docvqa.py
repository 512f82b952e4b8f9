"""Questions about documents: annotations of DocVQA, each with all accepted answers, and answers of a system.

Source: Mathew, Karatzas & Jawahar (2021), DocVQA: annotations `{"data": [{"questionId", "answers", ...}]}`, and the
submission format of its challenge, `[{"questionId", "answer"}]`.
"""

import json
from pathlib import Path
from typing import Any, Final

from misread.data.formats.account import Account, silent
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.timed_text import TimedText, entry_of, take
from misread.errors import InputFileError
from misread.io.json_files import decode_json
from misread.io.text import UTF_8, read_text

_NO_TEXT: Final = silent(
    "question questionId question_types image docId ucsf_document_id ucsf_document_page_no data_split dataset_name "
    "dataset_split dataset_version"
)
_EXPECTED = "questionId, and answers (references) or answer (hypotheses)"


def read_docvqa(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read questions with their accepted answers, or with the one answer of a system.

    Texts are JSON objects as the metrics qa_success and qa_anls take them: {"answers": [...]} and {"answer": "..."}.
    """
    content = decode_json(read_text(path, encoding=encoding), path)
    entries: Any = content.get("data") if isinstance(content, dict) else content
    if not isinstance(entries, list):
        raise InputFileError(f'{path}: expected {{"data": [...]}} or [...], objects with {_EXPECTED}.')
    segments = [_read(entry, entry_of(path, number)) for number, entry in enumerate(entries, start=1)]
    answers = ("".join(entry.get("answers") or entry["answer"]) for entry in entries)
    Account(DOCVQA.label, path).add_json(content, answers, _NO_TEXT)
    return segments


def _read(entry: object, location: str) -> TimedText:
    question = take(entry, "questionId", int | str, location, expected=_EXPECTED)  # type: ignore[arg-type]
    document = entry.get("docId", entry.get("image", ""))  # type: ignore[attr-defined]
    if "answers" not in entry:  # type: ignore[operator]
        answer = take(entry, "answer", str, location, expected=_EXPECTED)
        return TimedText(_write({"answer": answer}), location, str(question), str(document))
    answers = take(entry, "answers", list, location, expected=_EXPECTED)
    if not answers or not all(isinstance(answer, str) for answer in answers):
        raise InputFileError(f"{location}: answers are {answers!r}, expected a list of one text or more.")
    return TimedText(_write({"answers": list(dict.fromkeys(answers))}), location, str(question), str(document))


def _write(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


def is_docvqa(content: Content) -> bool:
    """Whether it is JSON whose first entry has a question's id and an answer to it."""
    value = content.value
    entries = value.get("data") if isinstance(value, dict) else value
    first = entries[0] if isinstance(entries, list) and entries else None
    return isinstance(first, dict) and "questionId" in first and not {"answer", "answers"}.isdisjoint(first)


DOCVQA = Format(
    name="docvqa",
    label="answers to DocVQA",
    kind="segments",
    paired_by="id",
    help="questions with all accepted answers, and answers of a system, by `questionId`",
    document="document",
    note="Texts are JSON objects of answers, which the metrics qa_anls and qa_success compare; error rates count their "
    "source.",
    recognise=is_docvqa,
    read=read_docvqa,
)
