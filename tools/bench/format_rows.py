"""Rows for the formats of transcripts and tables: the same lines, with what it costs to read them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tools.bench.line_rows import make_lines
from tools.bench.measure import Figure, Row
from tools.bench.processes import Process, run_misread
from tools.bench.texts import Pairs

_SPEAKER = 500
"""Lines of one speaker, and segments of one recording."""


def format_rows(scale: float) -> Iterator[Row]:
    """`misread score --metrics wer` on other formats, beside plain lines of the same texts."""
    pairs = make_lines(4 * scale)
    work = f"{len(pairs):,} lines"
    with TemporaryDirectory() as folder:
        options = {name: write(Path(folder), pairs) for name, write in _WRITERS.items()}
        lines = options.pop("lines")
        for name, arguments in options.items():
            yield Figure(
                f"{work} as {name}",
                "WER, whole process",
                "plain lines",
                partial(_compare_times, arguments, lines),
                "at most 2",
                "1.5" if name == "TRN" else "",
            )
            yield Figure(
                f"{work} as {name}", "WER, memory", "itself", partial(_measure_memory, arguments), "under 450 MB"
            )


def _compare_times(arguments: Sequence[str], lines: Sequence[str], rounds: int) -> str:
    times = [(_score(arguments).seconds, _score(lines).seconds) for _ in range(rounds)]
    return f"{median(own for own, _ in times) / median(beside for _, beside in times):.3g} x the time"


def _measure_memory(arguments: Sequence[str], _rounds: int) -> str:
    return f"{_score(arguments).peak_bytes / 1e6:.0f} MB"


def _score(arguments: Sequence[str]) -> Process:
    return run_misread("score", "--metrics", "wer", *arguments)


def _ids(pairs: Pairs) -> list[str]:
    return [f"spk{row // _SPEAKER}-{row:06d}" for row in range(len(pairs))]


def _write(path: Path, lines: Sequence[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def _write_lines(folder: Path, pairs: Pairs) -> list[str]:
    return [_write(folder / "r.txt", pairs.references), _write(folder / "h.txt", pairs.hypotheses)]


def _write_trn(folder: Path, pairs: Pairs) -> list[str]:
    sides = {"r.trn": pairs.references, "h.trn": pairs.hypotheses}
    files = [
        _write(folder / name, [f"{text} ({key})" for text, key in zip(texts, _ids(pairs), strict=True)])
        for name, texts in sides.items()
    ]
    return ["--format", "trn", *files]


def _write_kaldi(folder: Path, pairs: Pairs) -> list[str]:
    sides = {"r_kaldi": pairs.references, "h_kaldi": pairs.hypotheses}
    files = []
    for name, texts in sides.items():
        (folder / name).mkdir()
        lines = [f"{key} {text}" for text, key in zip(texts, _ids(pairs), strict=True)]
        files.append(_write(folder / name / "text", lines))
    return ["--format", "kaldi", "--ref", files[0], "--hyp", f"h={files[1]}"]


def _write_jsonl(folder: Path, pairs: Pairs) -> list[str]:
    rows = zip(_ids(pairs), pairs.references, pairs.hypotheses, strict=True)
    lines = [json.dumps({"id": key, "ref": ref, "hyp": hyp}, ensure_ascii=False) for key, ref, hyp in rows]
    path = _write(folder / "rows.jsonl", lines)
    return ["--table", path, "--id", "id", "--ref", "ref", "--hyp", "h=hyp"]


def _write_timed(folder: Path, pairs: Pairs) -> list[str]:
    segments, words = [], []
    for row, (ref, hyp) in enumerate(zip(pairs.references, pairs.hypotheses, strict=True)):
        file, begin = f"rec{row // _SPEAKER:04d}", 10 * (row % _SPEAKER)
        segments.append(f"{file} 1 spk{row // _SPEAKER} {begin}.00 {begin + 9}.00 {ref}")
        spoken = hyp.split()
        step = 9 / max(len(spoken), 1)
        words += [f"{file} 1 {begin + place * step:.2f} 0.01 {word}" for place, word in enumerate(spoken)]
    return [
        "--ref-format",
        "stm",
        "--hyp-format",
        "ctm",
        "--ref",
        _write(folder / "r.stm", segments),
        "--hyp",
        f"h={_write(folder / 'h.ctm', words)}",
    ]


_WRITERS = {
    "lines": _write_lines,
    "TRN": _write_trn,
    "JSONL": _write_jsonl,
    "Kaldi text": _write_kaldi,
    "STM and CTM": _write_timed,
}
