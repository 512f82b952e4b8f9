"""Files of programs for subtitles, TextGrid and tables: `python -m tools.zoo.subtitles_and_tables tests/zoo`.

Environment: webvtt-py pysubs2 srt ttconv pycaption praatio pympi-ling textgrid tgt pandas polars duckdb openpyxl
pyarrow datasets; ffmpeg of Debian 12; subtitle, subsrt and node-webvtt of npm in the folder NODE_PATH.
"""

from __future__ import annotations

import csv
import json
import platform
import subprocess
import sys
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

from tools.zoo.content import SEGMENTS, TEXTS, Zoo

_ROWS = [
    {"id": f"u{number}", "reference": text, "hypothesis": f'{text} "so; it, is"'} for number, text in enumerate(TEXTS)
]
_COLUMNS = {column: [row[column] for row in _ROWS] for column in ("reference", "hypothesis")}


def webvtt_py(zoo: Zoo) -> None:
    """webvtt-py: WebVTT with identifiers and voices, and SRT."""
    import webvtt

    for name, marked in (("plain", False), ("voices", True)):
        captions = webvtt.WebVTT()
        for begin, end, speaker, text in SEGMENTS:
            times = [f"00:00:{seconds:06.3f}" for seconds in (begin, end)]
            caption = webvtt.Caption(*times, f"<v {speaker}>{text}" if marked else text)
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
        zoo.write(f"srt/{name}.srt", srt.compose(cues, eol=eol), "srt", "srt", {"segment": TEXTS})


def ttconv(zoo: Zoo) -> None:
    """ttconv: SRT read, and written as SRT and WebVTT."""
    import ttconv.model as model
    from ttconv.srt import writer as srt_writer
    from ttconv.vtt import writer as vtt_writer

    document = model.ContentDocument()
    region, body, division = model.Region("r1", document), model.Body(document), model.Div(document)
    document.put_region(region)
    document.set_body(body)
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
        zoo.write(f"ttconv/cues.{ending}", writer.from_model(document), "ttconv", form, {"segment": TEXTS})


def pycaption(zoo: Zoo) -> None:
    """pycaption: SRT and WebVTT, with line breaks and marks of style."""
    from pycaption import SRTWriter, WebVTTWriter
    from pycaption.base import Caption, CaptionList, CaptionNode, CaptionSet

    captions = CaptionList()
    for begin, end, _, text in SEGMENTS:
        nodes = [
            *(CaptionNode.create_style(True, {"italics": True}), CaptionNode.create_text(text)),
            *(CaptionNode.create_style(False, {"italics": True}), CaptionNode.create_break()),
            CaptionNode.create_text("& so < on"),
        ]
        captions.append(Caption(int(begin * 1e6), int(end * 1e6), nodes))
    for ending, form, writer in (("srt", "srt", SRTWriter()), ("vtt", "webvtt", WebVTTWriter())):
        content, levels = writer.write(CaptionSet({"en": captions})), {"segment": [f"{t} & so < on" for t in TEXTS]}
        zoo.write(f"pycaption/cues.{ending}", content, "pycaption", form, levels)


def ffmpeg(zoo: Zoo) -> None:
    """FFmpeg: SRT and WebVTT of a styled ASS file of pysubs2."""
    import pysubs2

    said = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True, check=True).stdout
    file = pysubs2.SSAFile()
    for begin, end, _, text in SEGMENTS:
        styled = f"{{\\an8}}{{\\b1}}{text}{{\\b0}}\\N{{\\c&H00FF00&}}& so on"
        file.events.append(pysubs2.SSAEvent(start=int(begin * 1000), end=int(end * 1000), text=styled))
    source = zoo.path("ffmpeg/source.ass")
    file.save(str(source))
    for ending, form in (("srt", "srt"), ("vtt", "webvtt")):
        target = zoo.path(f"ffmpeg/cues.{ending}")
        subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", str(source), str(target)], check=True)
        texts = {"segment": [f"{text} & so on" for text in TEXTS]}
        zoo.add(f"ffmpeg/cues.{ending}", "ffmpeg", form, texts, said.split()[2])
    source.unlink()


def npm(zoo: Zoo) -> None:
    """subtitle, subsrt and node-webvtt of npm: SRT and WebVTT."""
    cues = [{"start": int(begin * 1000), "end": int(end * 1000), "text": text} for begin, end, _, text in SEGMENTS]
    script = """
    const cues = JSON.parse(process.argv[1]), { stringifySync } = require("subtitle")
    const subsrt = require("subsrt"), timed = cues.map((cue) => ({ start: cue.start / 1000, end: cue.end / 1000,
        text: cue.text, styles: "align:start", identifier: "" }))
    const nodes = cues.map((data) => ({ type: "cue", data }))
    const captions = cues.map((cue, i) => ({ type: "caption", index: i + 1, content: cue.text, ...cue,
        duration: cue.end - cue.start }))
    console.log(JSON.stringify({
        "subtitle/cues.srt": stringifySync(nodes, { format: "SRT" }),
        "subtitle/cues.vtt": stringifySync(nodes, { format: "WebVTT" }),
        "subsrt/cues.srt": subsrt.build(captions, { format: "srt" }),
        "subsrt/cues.vtt": subsrt.build(captions, { format: "vtt" }),
        "node-webvtt/cues.vtt": require("node-webvtt").compile({ valid: true, strict: true, cues: timed }),
        versions: Object.fromEntries(["subtitle", "subsrt", "node-webvtt"].map((name) =>
            [name, require(name + "/package.json").version]))
    }))
    """
    said = subprocess.run(["node", "-e", script, json.dumps(cues)], capture_output=True, text=True, check=True).stdout
    written = json.loads(said)
    versions = written.pop("versions")
    for name, text in written.items():
        package, form = name.split("/")[0], "srt" if name.endswith("srt") else "webvtt"
        zoo.write(name, text, package, form, {"segment": TEXTS}, versions[package])


def textgrids(zoo: Zoo) -> None:
    """praatio, pympi, textgrid and tgt: TextGrid, long and short."""
    import pympi
    import textgrid
    import tgt
    from praatio import textgrid as praat

    entries = [(begin, end, text) for begin, end, _, text in SEGMENTS]
    grid, several = praat.Textgrid(), praat.Textgrid()
    grid.addTier(praat.IntervalTier("anna", entries, 0, 12))
    for speaker in sorted({speaker for _, _, speaker, _ in SEGMENTS}):
        spoken = [(begin, end, text) for begin, end, who, text in SEGMENTS if who == speaker]
        several.addTier(praat.IntervalTier(speaker, spoken, 0, 12))
    several.addTier(praat.PointTier("tones", [(1.0, "H*"), (2.0, "L%")], 0, 12))
    for name, tiers, form in (
        *(("short_textgrid.TextGrid", grid, "short_textgrid"), ("long_textgrid.TextGrid", grid, "long_textgrid")),
        *(("tiers.TextGrid", several, "long_textgrid"), ("json.json", grid, "json")),
        ("textgrid_json.json", grid, "textgrid_json"),
    ):
        tiers.save(str(zoo.path(f"praatio/{name}")), format=form, includeBlankSpaces=True)
        refused = "ooTextFile" if name.endswith("json") else ""
        zoo.add(f"praatio/{name}", "praatio", "textgrid", {"segment": TEXTS}, refused=refused)
    elan = pympi.Praat.TextGrid(xmax=12)
    tier = elan.add_tier("anna")
    for begin, end, text in entries:
        tier.add_interval(begin, end, text)
    for name, mode, codec in (
        ("normal", "normal", "utf-8"),
        ("short", "short", "utf-8"),
        ("utf16", "normal", "utf-16"),
    ):
        elan.to_file(str(zoo.path(f"pympi/{name}.TextGrid")), codec=codec, mode=mode)
        zoo.add(f"pympi/{name}.TextGrid", "pympi-ling", "textgrid", {"segment": TEXTS})
    plain, intervals = textgrid.TextGrid(maxTime=12), textgrid.IntervalTier("anna", 0, 12)
    for entry in entries:
        intervals.add(*entry)
    plain.append(intervals)
    plain.write(str(zoo.path("textgrid/long.TextGrid")))
    zoo.add("textgrid/long.TextGrid", "textgrid", "textgrid", {"segment": TEXTS})
    toolbox = tgt.TextGrid()
    toolbox.add_tier(tgt.IntervalTier(0, 12, "anna", [tgt.Interval(*entry) for entry in entries]))
    for form in ("short", "long"):
        tgt.write_to_file(toolbox, str(zoo.path(f"tgt/{form}.TextGrid")), format=form, encoding="utf-8")
        zoo.add(f"tgt/{form}.TextGrid", "tgt", "textgrid", {"segment": TEXTS})


def tables(zoo: Zoo) -> None:
    """pandas, polars, duckdb and csv: columns with quotes, commas and semicolons."""
    import duckdb
    import pandas as pd
    import polars as pl

    frame, lazy = pd.DataFrame(_ROWS), pl.DataFrame(_ROWS)
    written = {
        "pandas/comma.csv": lambda path: frame.to_csv(path, index=False),
        "pandas/index.csv": lambda path: frame.to_csv(path),
        "pandas/semicolon.csv": lambda path: frame.to_csv(path, index=False, sep=";"),
        "pandas/quoted.tsv": lambda path: frame.to_csv(path, index=False, sep="\t"),
        "pandas/lines.jsonl": lambda path: frame.to_json(path, orient="records", lines=True),
        "pandas/records.json": lambda path: frame.to_json(path, orient="records"),
        "pandas/table.parquet": lambda path: frame.to_parquet(path),
        "pandas/utf16.csv": lambda path: frame.to_csv(path, index=False, encoding="utf-16"),
        "pandas/marked.csv": lambda path: frame.to_csv(path, index=False, encoding="utf-8-sig"),
        "polars/comma.csv": lambda path: lazy.write_csv(path),
        "polars/quoted.tsv": lambda path: lazy.write_csv(path, separator="\t", quote_style="always"),
        "polars/lines.jsonl": lambda path: lazy.write_ndjson(path),
        "polars/records.json": lambda path: lazy.write_json(path),
        "polars/table.parquet": lambda path: lazy.write_parquet(path),
    }
    for name, write in written.items():
        write(zoo.path(name))
        zoo.add(name, name.split("/")[0], "table", _COLUMNS)
    # The query names the variable of the frame.
    for name, form in (("comma.csv", "csv"), ("lines.jsonl", "json"), ("table.parquet", "parquet")):
        duckdb.sql(f"COPY (SELECT * FROM lazy) TO '{zoo.path(f'duckdb/{name}')}' (FORMAT {form})")
        zoo.add(f"duckdb/{name}", "duckdb", "table", _COLUMNS)
    for name, dialect in (("excel.csv", "excel"), ("unix.csv", "unix"), ("excel.tsv", "excel-tab")):
        with zoo.path(f"csv/{name}").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(_ROWS[0]), dialect=dialect)
            writer.writeheader()
            writer.writerows(_ROWS)
        zoo.add(f"csv/{name}", "csv", "table", _COLUMNS, f"Python {platform.python_version()}")


def datasets(zoo: Zoo) -> None:
    """Datasets of Hugging Face: CSV, JSON Lines, JSON and Parquet; openpyxl: a workbook, which no reader takes."""
    import openpyxl
    from datasets import Dataset

    data = Dataset.from_list(_ROWS)
    for name, write in (("rows.csv", data.to_csv), ("rows.jsonl", data.to_json), ("rows.parquet", data.to_parquet)):
        write(str(zoo.path(f"datasets/{name}")))
        zoo.add(f"datasets/{name}", "datasets", "table", _COLUMNS)
    book = openpyxl.Workbook()
    book.active.append(list(_ROWS[0]))
    for row in _ROWS:
        book.active.append(list(row.values()))
    book.save(zoo.path("openpyxl/rows.xlsx"))
    zoo.add("openpyxl/rows.xlsx", "openpyxl", "table", _COLUMNS, refused="is an archive")


if __name__ == "__main__":
    place = Zoo(Path(sys.argv[1]))
    for program in (webvtt_py, pysubs2, srt, ttconv, pycaption, ffmpeg, npm, textgrids, tables, datasets):
        program(place)
    place.save()
