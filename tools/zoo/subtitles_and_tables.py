"""Files of programs for subtitles, TextGrid and tables: `python -m tools.zoo.subtitles_and_tables tests/zoo`.

Environment: webvtt-py pysubs2 srt ttconv praatio pympi-ling textgrid tgt pandas polars duckdb openpyxl pyarrow.
"""

from __future__ import annotations

import csv
import platform
import sys
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

from tools.zoo.content import SEGMENTS, TEXTS, Zoo

_IDS = [f"u{number}" for number in range(len(TEXTS))]
_ROWS = [
    {"id": segment_id, "reference": text, "hypothesis": f'{text} "so; it, is"'}
    for segment_id, text in zip(_IDS, TEXTS, strict=True)
]


def webvtt_py(zoo: Zoo) -> None:
    """webvtt-py: WebVTT with identifiers and voices, and SRT."""
    import webvtt

    def stamp(seconds: float) -> str:
        return f"00:00:{seconds:06.3f}"

    for name, marked in (("plain", False), ("voices", True)):
        captions = webvtt.WebVTT()
        for begin, end, speaker, text in SEGMENTS:
            caption = webvtt.Caption(stamp(begin), stamp(end), f"<v {speaker}>{text}" if marked else text)
            caption.identifier = f"{speaker} {begin}" if marked else None
            captions.captions.append(caption)
        captions.save(str(zoo.path(f"webvtt_py/{name}.vtt")))
        zoo.add(f"webvtt_py/{name}.vtt", "webvtt-py", "webvtt", {"segment": TEXTS})
    captions.save_as_srt(str(zoo.path("webvtt_py/voices.srt")))
    zoo.add("webvtt_py/voices.srt", "webvtt-py", "srt", {"segment": TEXTS})


def pysubs2(zoo: Zoo) -> None:
    """pysubs2: SRT and WebVTT, one with styles."""
    import pysubs2

    for name, mark in (("plain", "{}"), ("italics", "{{\\i1}}{}{{\\i0}}"), ("two_lines", "{}\\Nand so on")):
        file = pysubs2.SSAFile()
        for begin, end, _, text in SEGMENTS:
            event = pysubs2.SSAEvent(start=int(begin * 1000), end=int(end * 1000), text=mark.format(text))
            file.events.append(event)
        expected = [f"{text} and so on" for text in TEXTS] if name == "two_lines" else TEXTS
        for ending, form in (("srt", "srt"), ("vtt", "webvtt")):
            file.save(str(zoo.path(f"pysubs2/{name}.{ending}")))
            zoo.add(f"pysubs2/{name}.{ending}", "pysubs2", form, {"segment": expected})


def srt(zoo: Zoo) -> None:
    """srt: composed subtitles, with the line ends of Unix and Windows."""
    import srt

    cues = [srt.Subtitle(None, timedelta(seconds=b), timedelta(seconds=e), text) for b, e, _, text in SEGMENTS]
    for name, eol in (("unix", None), ("windows", "\r\n")):
        zoo.path(f"srt/{name}.srt").write_bytes(srt.compose(cues, eol=eol).encode())
        zoo.add(f"srt/{name}.srt", "srt", "srt", {"segment": TEXTS})


def ttconv(zoo: Zoo) -> None:
    """ttconv: SRT read, and written as SRT and WebVTT."""
    import ttconv.model as model
    from ttconv.srt import writer as srt_writer
    from ttconv.vtt import writer as vtt_writer

    document = model.ContentDocument()
    region = model.Region("r1", document)
    document.put_region(region)
    body = model.Body(document)
    document.set_body(body)
    division = model.Div(document)
    body.push_child(division)
    for begin, end, _, text in SEGMENTS:
        paragraph = model.P(document)
        paragraph.set_begin(Fraction(begin))
        paragraph.set_end(Fraction(end))
        paragraph.set_region(region)
        span = model.Span(document)
        span.push_child(model.Text(document, text))
        paragraph.push_child(span)
        division.push_child(paragraph)
    for form, ending, writer in (("srt", "srt", srt_writer), ("webvtt", "vtt", vtt_writer)):
        zoo.path(f"ttconv/cues.{ending}").write_text(writer.from_model(document), encoding="utf-8")
        zoo.add(f"ttconv/cues.{ending}", "ttconv", form, {"segment": TEXTS})


def textgrids(zoo: Zoo) -> None:
    """praatio, pympi, textgrid and tgt: TextGrid, long and short."""
    import pympi
    import textgrid
    import tgt
    from praatio import textgrid as praat

    entries = [(begin, end, text) for begin, end, _, text in SEGMENTS]
    grid = praat.Textgrid()
    grid.addTier(praat.IntervalTier("anna", entries, 0, 12))
    for form in ("short_textgrid", "long_textgrid"):
        name = f"praatio/{form}.TextGrid"
        grid.save(str(zoo.path(name)), format=form, includeBlankSpaces=True)
        zoo.add(name, "praatio", "textgrid", {"segment": TEXTS})
    elan = pympi.Praat.TextGrid(xmax=12)
    tier = elan.add_tier("anna")
    for begin, end, text in entries:
        tier.add_interval(begin, end, text)
    for mode, name in (("normal", "pympi/normal.TextGrid"), ("short", "pympi/short.TextGrid")):
        elan.to_file(str(zoo.path(name)), codec="utf-8", mode=mode)
        zoo.add(name, "pympi-ling", "textgrid", {"segment": TEXTS})
    plain = textgrid.TextGrid(maxTime=12)
    intervals = textgrid.IntervalTier("anna", 0, 12)
    for entry in entries:
        intervals.add(*entry)
    plain.append(intervals)
    plain.write(str(zoo.path("textgrid/long.TextGrid")))
    zoo.add("textgrid/long.TextGrid", "textgrid", "textgrid", {"segment": TEXTS})
    toolbox = tgt.TextGrid()
    toolbox.add_tier(tgt.IntervalTier(0, 12, "anna", [tgt.Interval(*entry) for entry in entries]))
    for form in ("short", "long"):
        name = f"tgt/{form}.TextGrid"
        tgt.write_to_file(toolbox, str(zoo.path(name)), format=form, encoding="utf-8")
        zoo.add(name, "tgt", "textgrid", {"segment": TEXTS})


def tables(zoo: Zoo) -> None:
    """pandas, polars, duckdb and csv: columns with quotes, commas and semicolons."""
    import duckdb
    import pandas as pd
    import polars as pl

    expected = {column: [row[column] for row in _ROWS] for column in ("reference", "hypothesis")}
    frame, lazy = pd.DataFrame(_ROWS), pl.DataFrame(_ROWS)
    written = {
        "pandas/comma.csv": lambda path: frame.to_csv(path, index=False),
        "pandas/index.csv": lambda path: frame.to_csv(path),
        "pandas/semicolon.csv": lambda path: frame.to_csv(path, index=False, sep=";"),
        "pandas/quoted.tsv": lambda path: frame.to_csv(path, index=False, sep="\t"),
        "pandas/lines.jsonl": lambda path: frame.to_json(path, orient="records", lines=True),
        "pandas/records.json": lambda path: frame.to_json(path, orient="records"),
        "pandas/table.parquet": lambda path: frame.to_parquet(path),
        "polars/comma.csv": lambda path: lazy.write_csv(path),
        "polars/quoted.tsv": lambda path: lazy.write_csv(path, separator="\t", quote_style="always"),
        "polars/lines.jsonl": lambda path: lazy.write_ndjson(path),
        "polars/records.json": lambda path: lazy.write_json(path),
        "polars/table.parquet": lambda path: lazy.write_parquet(path),
    }
    for name, write in written.items():
        write(zoo.path(name))
        zoo.add(name, name.split("/")[0], "table", expected)
    # The query names the variable of the frame.
    for name, options in (
        ("comma.csv", "FORMAT csv"),
        ("lines.jsonl", "FORMAT json"),
        ("table.parquet", "FORMAT parquet"),
    ):
        path = zoo.path(f"duckdb/{name}")
        duckdb.sql(f"COPY (SELECT * FROM lazy) TO '{path}' ({options})")
        zoo.add(f"duckdb/{name}", "duckdb", "table", expected)
    for name, dialect in (("excel.csv", "excel"), ("unix.csv", "unix"), ("excel.tsv", "excel-tab")):
        with zoo.path(f"csv/{name}").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(_ROWS[0]), dialect=dialect)
            writer.writeheader()
            writer.writerows(_ROWS)
        zoo.add(f"csv/{name}", "csv", "table", expected, f"Python {platform.python_version()}")


if __name__ == "__main__":
    place = Zoo(Path(sys.argv[1]))
    for program in (webvtt_py, pysubs2, srt, ttconv, textgrids, tables):
        program(place)
    place.save()
