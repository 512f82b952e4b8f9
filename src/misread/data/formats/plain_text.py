"""Plain text, every line or the whole file a segment; other formats, whose source would be scored, are refused.

A file that is recognised as another format and is meant literally is read with the setting `verbatim`.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from misread.data.base import digest_text
from misread.data.formats import FORMATS
from misread.data.formats.base import Format, TextSettings
from misread.data.formats.content import Content
from misread.data.formats.recognition import recognise
from misread.data.formats.timed_text import TimedText
from misread.data.segment_table import SegmentTable
from misread.errors import InputFileError, LengthMismatchError, setting
from misread.io.text import UTF_8, read_text, split_lines
from misread.text.lazy_texts import JoinedTexts

_TAKE_OUT: Final = "take the text out of it first"
_MARKUP: Final = re.compile(
    r"(?:<!--.*?-->\s*)*+(?:<\?xml\s|<!doctype\s|<(?:[\w.-]+:)?(?:html|head|body|pcgts|alto|tei)[\s>]"
    r"|<[a-z_][\w.:-]*\s[^<>]*\bxmlns(?::[\w.-]+)?\s*=)",
    re.IGNORECASE | re.DOTALL,
)
# First words by which programs know their files; `file` has them, too.
_SIGNED: Final = {
    "RTF": r"\{\\rtf",
    "a master label file of HTK": "#!MLF!#",
    "PDF": "%PDF-",
    "PostScript": "%!PS",
    "LaTeX": r"\\documentclass",
    "captions of another format": r"\[(?:Script Info|INFORMATION)\]|Scenarist_SCC|<(?i:SAMI|SYNC)\b",
    "CHAT": r"@(?:UTF8|Begin)\s",
    "Toolbox": r"\\_sh v|\\(?:ref|id) ",
    "CoNLL": r"-DOCSTART-|# (?:sent_id|text|newdoc)\b.*\n.*\n?1\t|1\t\S+\t\S+\t.*\t_\s",
    "an object of Praat": '(?:File type = )?"?oo(?:Text|Binary)File',
    "RTTM": r"(?:;;.*\n\s*)*+[A-Z/_-]+\s\S+\s+\S+\s+[\d.<NA>]+\s+[\d.<NA>*]+\s(?:.*\s)?<NA>",
    "a language model": r"\\data\\",
    "DjVu's text": r"\(page 0 0 |select; remove-txt",
    "Ocrad's results": "# Ocr Results File",
    "a report on errors": "%WER|DUMP OF SYSTEM|SYSTEM SUMMARY PERCENTAGES|UNLV-ISRI OCR",
}
_CONFLICT: Final = re.compile(r"<{7} |={7}\s*\Z|>{7} ")
# An element around all.
_ELEMENT: Final = re.compile(r"<([a-z_][\w:.-]*)(?:\s[^<>]*=[^<>]*>|(?:\s[^<>]*)?>\s*[\n<])", re.IGNORECASE)
# Nothing but brackets, texts in quotes, numbers and the like: lists, objects and records, one or several.
_VALUES: Final = re.compile(
    r"(?:[A-Z]\w*\((?=\w+=)|[\[{(])(?:[][{}(),:\s]|\w+=|[A-Z]\w*\((?=\w+=)|[a-z]\w*\((?=\[)|-?\d[\d.eE+-]*+"
    r"""|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|(?:true|false|null|True|False|None|[Nn]a[Nn])\b)*+"""
)
# What names a side in logs of scorers, "REF:" or "a-01 ref"; begin and end of a text, in numbers.
_SIDE: Final = re.compile(
    r"(?:\[[^\]]*\]\s*|\S+\s+)?(?:(?P<ref>ref)|hyp|pred)(?:\w*\s*[:=]|(?<=\s\w{3})\s)", re.IGNORECASE
)
_SPAN: Final = re.compile(
    r"\s*(?:(?P<begin>\d+[.,]\d{3,}|\d+)[\s;,|]\s*(?P<end>\d+[.,]\d{3,}|\d+)[\s;,|]|(?P<frame>\[\d{1,9}\]\[|\{\d{1,9}\}\{)\d+[]}])"
    r"(?=.*[^\W\d])"
)
_MARKUP_ENDINGS: Final = frozenset({".htm", ".html", ".xhtml", ".xml"})
_OTHER_ENDINGS: Final = re.compile(
    r"\.(?:ass|cha|dfxp|eaf|exb|itt|json3|lrc|mlf|pra|rttm|sami|sbv|scc|sgml|smi|ssa|stl|sub|trs|ttml|uem)"
)
# A clock with seconds, seconds as programs write them, or frames, after a word or two at most.
_TIME: Final = re.compile(
    r"\s*(?:[^\W\d]\w*\W{1,3}(?:\d,)?|\[?\d{4}-\d\d-\d\d[T ])?[\[({]?"
    r"(?:(?P<clock>\d\d? ?: ?\d\d ?: ?\d\d(?: ?[.,] ?\d+)?|\d{1,3}:\d\d[.,]\d{2,3}|\d\d?:\d\d(?=\s*-->\s*\d))"
    r"|(?P<seconds>\d+\.\d+(?=s\b)|\d+\.\d{3,}(?=\t\d)))"
)
_FEWEST_TIMES: Final = 3
_SHARE_OF_TIMES, _SHARE_OF_SPANS, _FEWEST_SAMPLES = 1 / 3, 2 / 3, 1000
_HTML: Final = re.compile(
    r"(?:<\?.*?\?>\s*|<!--.*?-->\s*)*+<(?:!doctype\s+)?(?:html|head|body)[\s>]", re.IGNORECASE | re.DOTALL
)


def read_plain_text(path: Path, *, verbatim: bool = False, encoding: str = UTF_8) -> str:
    """Read a file of plain text; another format raises InputFileError, unless `verbatim`."""
    text = read_text(path, encoding=encoding)
    if verbatim:
        return text
    content = Content(text, path.suffix.lower())
    form = recognise(content)
    if label := form.label if form else name_unreadable(content):
        raise InputFileError(
            f"{path} is {label}, not plain text, and its source would be scored: "
            f"{_advise(form) if form else _TAKE_OUT}, or use {setting('format', 'lines(verbatim=true)')}, of "
            "whole files text(verbatim=true), if it is meant literally."
        )
    return text


def name_unreadable(content: Content) -> str:
    """Common name of a text in a format that is neither read nor plain text; else nothing."""
    if _MARKUP.match(content.begin) or (content.ending in _MARKUP_ENDINGS and content.begin.startswith("<")):
        return "HTML" if _HTML.match(content.begin) else "XML"
    if name := next((name for name, beginning in _SIGNED.items() if re.match(beginning, content.begin)), ""):
        return name
    if (element := _ELEMENT.match(content.begin)) and content.end.endswith(f"</{element[1]}>"):
        return "XML"
    if "".join(line[0] for line in content.lines if _CONFLICT.match(line)).startswith("<=>"):
        return "in conflict, as Git says"
    if _have_times(content.lines) or _have_spans(content.lines):
        return "a log of texts with times"
    sides = [side["ref"] is not None for line in content.lines if (side := _SIDE.match(line))]
    if 1 < sum(sides) <= len(sides) - sum(sides) <= 2 * sum(sides) and 4 * len(sides) >= len(content.lines):
        return "a log of references and outputs"
    if content.value:
        return "JSON"
    if _OTHER_ENDINGS.fullmatch(content.ending) and content.lines:
        return f"called {content.ending}, as files of another format are"
    lines = "\n".join(content.lines).lstrip()
    return "lists or objects of a program" if {*"\"'"} & {*lines} and _VALUES.fullmatch(lines) else ""


def _have_times(lines: Sequence[str]) -> bool:
    """Whether a third of the lines or more begin with times in order, two lines if the times have arrows between."""
    marks = [mark for line in lines if (mark := _TIME.match(line))]
    fewest = _FEWEST_TIMES - all("->" in mark.string for mark in marks)
    if len(marks) < max(fewest, _SHARE_OF_TIMES * len(lines)):
        return False
    times = []
    for mark in marks:
        parts = (mark["clock"] or mark["seconds"]).replace(",", ".").replace(" ", "").split(":")
        times.append(sum(float(part) * 60**power for power, part in enumerate(reversed(parts))))
    return times[0] < times[-1] and times == sorted(times)


def _have_spans(lines: Sequence[str]) -> bool:
    """Whether most lines begin with two times, in order: decimals, samples without a gap from 0, or frames."""
    spans = [span for line in lines if (span := _SPAN.match(line))]
    if len(spans) < max(_FEWEST_TIMES, _SHARE_OF_SPANS * len(lines)):
        return False
    if spans[0]["frame"]:
        frames = [int(span["frame"][1:-2]) for span in spans if span["frame"]]
        return frames[0] < frames[-1] and frames == sorted(frames)
    times = [float((span[name] or "-1").replace(",", ".")) for span in spans for name in ("begin", "end")]
    has_gaps = times[0] > 0 or times[1] < _FEWEST_SAMPLES or times[1:-1:2] != times[2::2]
    return times == sorted(times) and (not has_gaps or all({*".,"} & {*(span["end"] or "")} for span in spans))


def _advise(form: Format) -> str:
    """Advice on a file of a format."""
    if form.kind == "table":
        return f"score it as a table ({setting('table')}, with the columns of its texts)"
    if form.kind == "pages":
        return f"name its format, {form.as_options}"
    if form.references:
        return f"score it with {form.as_options}"
    others = (other for other in FORMATS.values() if other.references == form.name)
    against = "".join(f" (against {other.label} {other.as_options})" for other in others)
    return f"score it with {form.as_options}{against}"


def read_line_segments(path: Path, *, verbatim: bool = False, encoding: str = UTF_8) -> list[TimedText]:
    """Read every line as a segment, named by its number."""
    lines = split_lines(read_plain_text(path, verbatim=verbatim, encoding=encoding))
    return [TimedText(line, f"{path}, line {number}", str(number)) for number, line in enumerate(lines, start=1)]


def read_files(
    reference: Path, hypotheses: Mapping[str, Path], *, verbatim: bool = False, encoding: str = UTF_8
) -> SegmentTable:
    """Read text files whose lines are paired; `hypotheses` are files by system.

    Segment ids are line numbers from 1; a blank line is an empty text, and the newline at the end does not start
    another line. `verbatim` accepts files that look like a format other than plain text. Raises LengthMismatchError if
    files differ in number of lines.
    """
    text = read_plain_text(reference, verbatim=verbatim, encoding=encoding)
    if not text:
        raise InputFileError(f"{reference} is empty, expected references.")
    references = _keep_joined(text)
    texts = {}
    for system, path in hypotheses.items():
        texts[system] = _keep_joined(read_plain_text(path, verbatim=verbatim, encoding=encoding))
        if len(texts[system]) != len(references):
            counted = "1 line" if len(references) == 1 else f"{len(references):,} lines"
            raise LengthMismatchError(
                f"{reference} has {counted} and {path} ({system}) has {len(texts[system]):,}: they are "
                "paired line by line, so both need the same number (an empty line for an empty text). "
                f"{setting('resegment')} aligns the words of lines that are cut elsewhere. "
                f"{setting('missing')} is for texts with names: tables with null, TRN files, and folders."
            )
    return SegmentTable(
        name=reference.stem,
        digest=digest_text(text),
        segment_id=[str(line) for line in range(1, len(references) + 1)],
        references=references,
        hypotheses=texts,
    )


def _keep_joined(text: str) -> JoinedTexts:
    """Lines as `split_lines` gives them, in one string: those of a large file would take three times its memory."""
    closed = text if not text or text.endswith("\n") else text + "\n"
    # Few files have a carriage return, and to see that there is none takes a tenth of the time of `replace`.
    return JoinedTexts(closed.replace("\r\n", "\n") if "\r" in closed else closed, "\n")


LINES = Format(
    name="lines",
    label="plain text",
    kind="lines",
    paired_by="line",
    help="plain text, every line a segment",
    settings=TextSettings(),
    read=read_line_segments,
    pair=read_files,
)

TEXT = Format(
    name="text",
    label="plain text",
    kind="pages",
    paired_by="file",
    help="plain text, the whole file a segment",
    settings=TextSettings(),
)
