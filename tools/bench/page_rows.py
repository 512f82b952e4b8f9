"""Rows for the lines of pages in XML, compared with the same lines as plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape, quoteattr

from tools.bench.line_rows import make_lines
from tools.bench.measure import Figure, Row
from tools.bench.processes import Process, run_misread
from tools.bench.texts import Pairs

_LINES_OF_A_PAGE = 40
_PAGE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/'
    '2019-07-15"><Page imageFilename="{0}.png" imageWidth="2000" imageHeight="3000"><TextRegion id="r">\n'
    '<Coords points="0,0 2000,0 2000,3000 0,3000"/>\n{1}</TextRegion></Page></PcGts>\n'
)
_ALTO = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout>'
    '<Page ID="p{0}" PHYSICAL_IMG_NR="{0}"><PrintSpace><TextBlock ID="r">\n{1}</TextBlock></PrintSpace></Page></Layout>'
    "</alto>\n"
)


def page_rows(scale: float) -> Iterator[Row]:
    """`misread score --level line` on folders of PAGE-XML and ALTO; 200,000 lines at scale 1."""
    pairs = make_lines(scale)
    with TemporaryDirectory() as folder:
        plain = _write_plain(Path(folder), pairs)
        for name, write in (("PAGE-XML", _page_line), ("ALTO with words", _alto_line)):
            form = _PAGE if write is _page_line else _ALTO
            pages = _write_pages(Path(folder) / name.partition(" ")[0], pairs, form, write)
            work = f"{len(pairs):,} lines of {name}"
            yield Figure(
                work, "CER + WER, whole process", "the same lines as text", partial(_ratio, pages, plain), "at most 4"
            )
            yield Figure(work, "CER + WER, memory", "itself", partial(_memory, pages), "under 450 MB")


def _ratio(pages: Sequence[str], plain: Sequence[str], rounds: int) -> str:
    spent = [(_score(*pages, "--level", "line").seconds, _score(*plain).seconds) for _ in range(rounds + 1)][1:]
    return f"{median(own for own, _ in spent) / median(theirs for _, theirs in spent):.3g} x the time"


def _memory(pages: Sequence[str], _rounds: int) -> str:
    return f"{_score(*pages, '--level', 'line').peak_bytes / 1e6:.0f} MB"


def _score(*arguments: str) -> Process:
    return run_misread("score", *arguments, "--resamples", "1")


def _write_plain(folder: Path, pairs: Pairs) -> list[str]:
    paths = [folder / f"{side}.txt" for side in ("reference", "hypothesis")]
    for path, texts in zip(paths, (pairs.references, pairs.hypotheses), strict=True):
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return ["--ref", str(paths[0]), "--hyp", f"a={paths[1]}"]


def _write_pages(folder: Path, pairs: Pairs, form: str, line: Callable[[int, str], str]) -> list[str]:
    """Write a folder of pages for each side; return the options that name them."""
    for side, texts in (("reference", pairs.references), ("hypothesis", pairs.hypotheses)):
        (folder / side).mkdir(parents=True)
        for page, begin in enumerate(range(0, len(texts), _LINES_OF_A_PAGE)):
            lines = "".join(line(number, text) for number, text in enumerate(texts[begin : begin + _LINES_OF_A_PAGE]))
            (folder / side / f"{page:05}.xml").write_text(form.format(page, lines), encoding="utf-8")
    return ["--ref", str(folder / "reference"), "--hyp", f"a={folder / 'hypothesis'}"]


def _page_line(number: int, text: str) -> str:
    top = number * 70
    return (
        f'<TextLine id="l{number}"><Coords points="100,{top} 1900,{top} 1900,{top + 60} 100,{top + 60}"/>\n'
        f'<TextEquiv conf="0.9"><Unicode>{escape(text)}</Unicode></TextEquiv></TextLine>\n'
    )


def _alto_line(number: int, text: str) -> str:
    top = number * 70
    place = f'HPOS="100" VPOS="{top}" WIDTH="200" HEIGHT="60"'
    words = f'<SP WIDTH="9" VPOS="{top}" HPOS="300"/>\n'.join(
        f'<String ID="s{number}_{position}" {place} WC="0.9" CONTENT={quoteattr(word)}/>\n'
        for position, word in enumerate(text.split())
    )
    return f'<TextLine ID="l{number}" {place}>{words}</TextLine>\n'
