"""Rows for whole commands: scores of files of every kind, the first run of a new install, and the help."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

from tools.bench.alignment_rows import make_lines
from tools.bench.measure import (
    Peer,
    Process,
    Row,
    by_itself,
    peak_of,
    run_command,
    run_process,
    run_python,
    speed_up,
    times_as_long,
)
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
        for unit, (expected, read) in enumerate(sides):
            errors[unit] += Levenshtein.distance(expected, read)
            length[unit] += len(expected)
print(errors[0] / length[0], errors[1] / length[1])
"""
_PAGE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/'
    '2019-07-15"><Page imageFilename="{0}.png" imageWidth="2000" imageHeight="3000"><TextRegion id="r">\n'
    '<Coords points="0,0 2000,0 2000,3000 0,3000"/>\n{1}</TextRegion></Page></PcGts>\n'
)
_PAGE_LINE = (
    '<TextLine id="l{0}"><Coords points="100,{1} 1900,{1} 1900,{2} 100,{2}"/>\n'
    '<TextEquiv conf="0.9"><Unicode>{3}</Unicode></TextEquiv></TextLine>\n'
)


def process_rows(scale: float) -> Iterator[Row]:
    """`misread score` on two files, and its help."""
    pairs = make_lines(4 * scale)
    with TemporaryDirectory() as folder:
        files = _write_sides(Path(folder), pairs)
        run = partial(_score, "--ref", files[0], "--hyp", f"a={files[1]}", "--resamples", "1")
        both = " && ".join(f"jiwer {unit} -r {files[0]} -h {files[1]}" for unit in ("", "-c"))
        jiwer = Peer("jiwer's command, twice", partial(run_process, "/bin/sh", "-c", both))
        script = partial(run_python, _SCRIPT.format(*files))
        work, output = f"{len(pairs):,} lines from two files", "CER + WER, whole process"
        yield Row(work, output, speed_up(run, jiwer), "12")
        yield Row(work, output, times_as_long(run, "script with rapidfuzz", script), "at most 1.2", "below 1")
        yield Row(work, "CER + WER, memory", peak_of(run), "under 300 MB")
    yield from _first_minute()
    wall = by_itself(lambda: run_command("misread", "--help").wall_seconds, "s")
    yield Row("misread --help", "wall time", wall, "under 0.3 s")


def _first_minute() -> Iterator[Row]:
    """Scores of two systems in a home without anything in it: the very first, and those that find what was kept."""
    with TemporaryDirectory() as kept:
        sides = [_write_sides(Path(kept), make_pairs("Latin", 2, 8, rate), str(rate)) for rate in (0.05, 0.08)]
        files = (*sides[0], sides[1][1])

        def run_in(home: str) -> float:
            # As in a container: with nothing of this environment but machine code kept in that home.
            environment = {"HOME": home, "NUMBA_CACHE_DIR": home}
            return run_command("misread", "score", *files, environment=environment).seconds

        def run_first() -> float:
            with TemporaryDirectory() as home:
                return run_in(home)

        for which, run, goals in (
            ("first run of a new install", run_first, ("4 CPU-s", "1.5 CPU-s")),
            ("every other run", partial(run_in, kept), ("0.5 CPU-s", "0.25 CPU-s")),
        ):
            yield Row("two lines, two systems", f"CER + WER, {which}", by_itself(run, "CPU-s"), *goals)


def format_rows(scale: float) -> Iterator[Row]:
    """`misread score` on other formats, beside plain lines of the same texts: a quarter of them in PAGE-XML."""
    wer, both = ("WER", "--metrics", "wer"), ("CER + WER", "--resamples", "1")
    for form, write, lines, (output, *options), goals in (
        ("as TRN", _write_trn, 4 * scale, wer, ("at most 2", "1.5")),
        ("as JSONL", _write_jsonl, 4 * scale, wer, ("at most 2",)),
        ("as STM and CTM", _write_timed, 4 * scale, wer, ("at most 2",)),
        ("of PAGE-XML", _write_pages, scale, both, ("at most 4",)),
    ):
        pairs = make_lines(lines)
        with TemporaryDirectory() as name:
            plain = partial(_score, *_write_sides(Path(name), pairs), *options)
            run = partial(_score, *write(Path(name), pairs), *options)
            work = f"{len(pairs):,} lines {form}"
            yield Row(work, f"{output}, whole process", times_as_long(run, "plain lines", plain), *goals)
            if form in ("as TRN", "of PAGE-XML"):
                yield Row(work, f"{output}, memory", peak_of(run), "under 450 MB")


def _score(*arguments: str) -> Process:
    return run_command("misread", "score", *arguments)


def _write(path: Path, lines: Iterable[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def _write_sides(folder: Path, pairs: Pairs, name: str = "plain") -> tuple[str, str]:
    """Write references and hypotheses, one per line; return the paths."""
    reference, hypothesis = (_write(folder / f"{name}-{side}.txt", texts) for side, texts in enumerate(pairs.sides))
    return reference, hypothesis


def _ids(pairs: Pairs) -> list[str]:
    return [f"spk{row // _SPEAKER}-{row:06d}" for row in range(len(pairs))]


def _write_trn(folder: Path, pairs: Pairs) -> list[str]:
    sides = [[f"{text} ({key})" for text, key in zip(texts, _ids(pairs), strict=True)] for texts in pairs.sides]
    return ["--format", "trn", *(_write(folder / f"{side}.trn", lines) for side, lines in enumerate(sides))]


def _write_jsonl(folder: Path, pairs: Pairs) -> list[str]:
    rows = zip(_ids(pairs), *pairs.sides, strict=True)
    lines = [json.dumps({"id": key, "ref": ref, "hyp": hyp}, ensure_ascii=False) for key, ref, hyp in rows]
    return ["--table", _write(folder / "rows.jsonl", lines), "--segment-id", "id", "--ref", "ref", "--hyp", "h=hyp"]


def _write_timed(folder: Path, pairs: Pairs) -> list[str]:
    segments, words = [], []
    for row, (ref, hyp) in enumerate(zip(*pairs.sides, strict=True)):
        file, start = f"rec{row // _SPEAKER:04d}", 10 * (row % _SPEAKER)
        segments.append(f"{file} 1 spk{row // _SPEAKER} {start}.00 {start + 9}.00 {ref}")
        spoken = hyp.split()
        step = 9 / max(len(spoken), 1)
        times = (f"{start + position * step:.2f} {0.8 * step:.2f}" for position in range(len(spoken)))
        words += [f"{file} 1 {time} {word}" for time, word in zip(times, spoken, strict=True)]
    ref, hyp = _write(folder / "r.stm", segments), _write(folder / "h.ctm", words)
    return ["--format", "stm", "--hyp-format", "ctm", "--ref", ref, "--hyp", f"h={hyp}"]


def _write_pages(folder: Path, pairs: Pairs) -> list[str]:
    """Write a folder of pages for each side; return the options that name them."""
    for side, texts in zip(("reference", "hypothesis"), pairs.sides, strict=True):
        (folder / side).mkdir()
        for page, start in enumerate(range(0, len(texts), _LINES_OF_A_PAGE)):
            lines = [
                _PAGE_LINE.format(number, 70 * number, 70 * number + 60, escape(text))
                for number, text in enumerate(texts[start : start + _LINES_OF_A_PAGE])
            ]
            (folder / side / f"{page:05}.xml").write_text(_PAGE.format(page, "".join(lines)), encoding="utf-8")
    return ["--format", "page(level=line)", "--ref", str(folder / "reference"), "--hyp", f"a={folder / 'hypothesis'}"]
