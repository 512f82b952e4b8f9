"""Rows for whole commands: scores of files of every kind, the first run of a new install, and the help."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

from tools.bench.alignment_rows import make_lines
from tools.bench.measure import Figure, Row
from tools.bench.processes import FreshInstall, Process, run_command, run_python
from tools.bench.texts import Pairs, make_pairs

_SPEAKER = 500
"""Lines of one speaker, and segments of one recording."""
_LINES_OF_A_PAGE = 40
_SCRIPT = """
from rapidfuzz.distance import Levenshtein
errors, length = [0, 0], [0, 0]
with open({!r}) as references, open({!r}) as hypotheses:
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        sides = (reference[:-1], hypothesis[:-1]), (reference.split(), hypothesis.split())
        for unit, (one, other) in enumerate(sides):
            errors[unit] += Levenshtein.distance(one, other)
            length[unit] += len(one)
print(errors[0] / length[0], errors[1] / length[1])
"""
_PAGE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/'
    '2019-07-15"><Page imageFilename="{0}.png" imageWidth="2000" imageHeight="3000"><TextRegion id="r">\n'
    '<Coords points="0,0 2000,0 2000,3000 0,3000"/>\n{1}</TextRegion></Page></PcGts>\n'
)


def process_rows(scale: float) -> Iterator[Row]:
    """`misread score` on two files, and its help."""
    pairs = make_lines(4 * scale)
    share = 0.1
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = _write_sides(folder, "whole", pairs)
        parts = _write_sides(folder, "few", pairs.head(int(len(pairs) * share)))
        run_own = partial(_score, "--ref", files[0], "--hyp", f"a={files[1]}", "--resamples", "1")

        def beside_jiwer(rounds: int) -> str:
            start = 2 * run_command("jiwer", "--help").seconds
            sides = ("-r", parts[0], "-h", parts[1])
            theirs = [
                start + (sum(run_command("jiwer", *sides, *unit).seconds for unit in ((), ("-c",))) - start) / share
                for _ in range(min(rounds, 2))
            ]
            return f"{median(theirs) / median(run_own().seconds for _ in range(rounds)):.3g} x"

        run_own()
        work, output = f"{len(pairs):,} lines from two files", "CER + WER, whole process"
        yield Figure(work, output, "jiwer's command, twice", beside_jiwer, "12")
        script = partial(run_python, _SCRIPT.format(*files))
        yield Figure(work, output, "script with rapidfuzz", _times(run_own, script), "at most 1.5", "below 1")
        yield Figure(work, "CER + WER, memory", "itself", _peak(run_own), "under 400 MB")
    yield from _first_minute()
    help_ = partial(run_command, "misread", "--help")
    yield Figure(
        "misread --help",
        "wall time",
        "itself",
        lambda rounds: f"{median(help_().wall_seconds for _ in range(rounds + 2)):.2g} s",
        "under 0.3 s",
    )


def _first_minute() -> Iterator[Row]:
    """Scores of two systems by a new install: the very first, and those that find what was kept."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        install = FreshInstall(folder)
        (reference, first), (_, second) = (
            _write_sides(folder, str(rate), make_pairs("Latin", 2, 8, rate)) for rate in (0.05, 0.08)
        )
        for which, run, goals in (
            ("first run of a new install", install.run_first, ("4 CPU-s", "1.5 CPU-s")),
            ("every other run", install.run, ("0.5 CPU-s", "0.25 CPU-s")),
        ):
            score = partial(run, "score", reference, first, second)
            yield Figure("two lines, two systems", f"CER + WER, {which}", "itself", _seconds(score), *goals)


def _seconds(run: Callable[[], Process]) -> Callable[[int], str]:
    return lambda rounds: f"{median(run().seconds for _ in range(rounds)):.2g} CPU-s"


def format_rows(scale: float) -> Iterator[Row]:
    """`misread score --metrics wer` on other formats, beside plain lines of the same texts."""
    pairs = make_lines(4 * scale)
    with TemporaryDirectory() as name:
        folder = Path(name)
        lines = partial(_score, "--metrics", "wer", *_write_sides(folder, "plain", pairs))
        for form, write in _WRITERS.items():
            work, stretch = f"{len(pairs):,} lines as {form}", "1.5" if form == "TRN" else ""
            run = partial(_score, "--metrics", "wer", *write(folder, pairs))
            yield Figure(work, "WER, whole process", "plain lines", _times(run, lines), "at most 2", stretch)
            yield Figure(work, "WER, memory", "itself", _peak(run), "under 450 MB")


def page_rows(scale: float) -> Iterator[Row]:
    """`misread score --level line` on folders of PAGE-XML; 200,000 lines at scale 1."""
    pairs = make_lines(scale)
    with TemporaryDirectory() as name:
        folder = Path(name)
        plain = partial(_score, *_write_sides(folder, "plain", pairs), "--resamples", "1")
        run = partial(_score, *_write_pages(folder / "PAGE-XML", pairs), "--level", "line", "--resamples", "1")
        work = f"{len(pairs):,} lines of PAGE-XML"
        yield Figure(work, "CER + WER, whole process", "the same lines as text", _times(run, plain), "at most 4")
        yield Figure(work, "CER + WER, memory", "itself", _peak(run), "under 450 MB")


def _score(*arguments: str) -> Process:
    return run_command("misread", "score", *arguments)


def _times(own: Callable[[], Process], beside: Callable[[], Process]) -> Callable[[int], str]:
    """CPU time over that of another command, run in turn."""

    def compare(rounds: int) -> str:
        spent = [(own().seconds, beside().seconds) for _ in range(rounds)]
        ours, theirs = (median(seconds) for seconds in zip(*spent, strict=True))
        return f"{ours / theirs:.3g} x the time"

    return compare


def _peak(run: Callable[[], Process]) -> Callable[[int], str]:
    return lambda _rounds: f"{run().peak_bytes / 1e6:.0f} MB"


def _write(path: Path, lines: Sequence[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def _write_sides(folder: Path, name: str, pairs: Pairs) -> tuple[str, str]:
    """Write references and hypotheses, one per line; return the paths."""
    sides = {"reference": pairs.references, "hypothesis": pairs.hypotheses}
    reference, hypothesis = (_write(folder / f"{name}.{side}.txt", texts) for side, texts in sides.items())
    return reference, hypothesis


def _ids(pairs: Pairs) -> list[str]:
    return [f"spk{row // _SPEAKER}-{row:06d}" for row in range(len(pairs))]


def _write_trn(folder: Path, pairs: Pairs) -> list[str]:
    sides = {"r.trn": pairs.references, "h.trn": pairs.hypotheses}
    files = [
        _write(folder / name, [f"{text} ({key})" for text, key in zip(texts, _ids(pairs), strict=True)])
        for name, texts in sides.items()
    ]
    return ["--format", "trn", *files]


def _write_jsonl(folder: Path, pairs: Pairs) -> list[str]:
    rows = zip(_ids(pairs), pairs.references, pairs.hypotheses, strict=True)
    lines = [json.dumps({"id": key, "ref": ref, "hyp": hyp}, ensure_ascii=False) for key, ref, hyp in rows]
    return ["--table", _write(folder / "rows.jsonl", lines), "--id", "id", "--ref", "ref", "--hyp", "h=hyp"]


def _write_timed(folder: Path, pairs: Pairs) -> list[str]:
    segments, words = [], []
    for row, (ref, hyp) in enumerate(zip(pairs.references, pairs.hypotheses, strict=True)):
        file, begin = f"rec{row // _SPEAKER:04d}", 10 * (row % _SPEAKER)
        segments.append(f"{file} 1 spk{row // _SPEAKER} {begin}.00 {begin + 9}.00 {ref}")
        spoken = hyp.split()
        step = 9 / max(len(spoken), 1)
        words += [f"{file} 1 {begin + place * step:.2f} 0.01 {word}" for place, word in enumerate(spoken)]
    ref, hyp = _write(folder / "r.stm", segments), _write(folder / "h.ctm", words)
    return ["--ref-format", "stm", "--hyp-format", "ctm", "--ref", ref, "--hyp", f"h={hyp}"]


_WRITERS = {"TRN": _write_trn, "JSONL": _write_jsonl, "STM and CTM": _write_timed}


def _write_pages(folder: Path, pairs: Pairs) -> list[str]:
    """Write a folder of pages for each side; return the options that name them."""
    for side, texts in (("reference", pairs.references), ("hypothesis", pairs.hypotheses)):
        (folder / side).mkdir(parents=True)
        for page, begin in enumerate(range(0, len(texts), _LINES_OF_A_PAGE)):
            lines = map(_page_line, range(_LINES_OF_A_PAGE), texts[begin : begin + _LINES_OF_A_PAGE])
            (folder / side / f"{page:05}.xml").write_text(_PAGE.format(page, "".join(lines)), encoding="utf-8")
    return ["--ref", str(folder / "reference"), "--hyp", f"a={folder / 'hypothesis'}"]


def _page_line(number: int, text: str) -> str:
    top = number * 70
    return (
        f'<TextLine id="l{number}"><Coords points="100,{top} 1900,{top} 1900,{top + 60} 100,{top + 60}"/>\n'
        f'<TextEquiv conf="0.9"><Unicode>{escape(text)}</Unicode></TextEquiv></TextLine>\n'
    )
