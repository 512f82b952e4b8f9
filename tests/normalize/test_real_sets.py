"""Real outputs in their place, some written otherwise, raise no alarm of chatter or pairing."""

import json
import re

import pytest

from misread import evaluate
from misread.data import read_folders, read_segment_files


def directories(folder):
    text = (folder / "das22_directories/entries.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    systems = {name: [row[name] or "" for row in rows] for name in ("pero", "tesseract4", "kraken")}
    return [row["ref"] for row in rows], systems


def rare_words(folder):
    root = folder / "rare_words"
    lines = (root / "test-clean.ref.tsv").read_text(encoding="utf-8").splitlines()
    references = {line.split("\t")[0]: line.split("\t")[1] for line in lines}
    systems = {}
    for path in sorted(root.glob("test-clean.[bs]*.tsv")):
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        texts = {row[0]: row[-1] for row in rows}
        systems[path.name.split(".")[1]] = [texts.get(key, "") for key in references]
    return [*references.values()], systems


def calls(folder):
    root = folder / "earnings21_eval10"
    paths = {system: (root / "output" / system).rglob("*.nlp") for system in ("google", "amazon", "rev", "kaldi_org")}
    outputs = {system: {path.name: path for path in of_system} for system, of_system in paths.items()}
    tables = [
        read_segment_files(path, {system: outputs[system][path.name] for system in outputs}, "nlp")
        for path in sorted((root / "transcripts/nlp_references").glob("*.nlp"))
    ]
    return join_tables(tables)


def pages(folder):
    """Two scans with their outputs, and pages that are written in two formats."""
    printed, written = folder / "dinglehopper_xml", folder / "timeus_handwriting"
    scan, brochure = printed / "actevedef_718448162", printed / "brochrnx_73075507X"
    sides = [
        (scan / "OCR-D-GT-PAGE/00000024.page.xml", scan / "OCR-D-OCR-TESS/OCR-D-OCR-TESS_0001.xml"),
        (brochure / "00000139.gt.page.xml", brochure / "00000139.ocrd-tess.ocr.page.xml"),
        (written / "page_xml", written / "alto_xml"),
    ]
    return join_tables([read_folders(reference, {"ocr": output}) for reference, output in sides])


def join_tables(tables):
    systems = {name: [text for table in tables for text in table.hypotheses[name]] for name in tables[0].hypotheses}
    return [text for table in tables for text in table.references], systems


def utterances(folder):
    """TRN with or without scores and marks of sentences."""
    names = ("cards/cards.transcription", "cards/cards.hyp", "librivox/transcription", "librivox/test-lm.match")
    paths = [*(folder / "speech" / name for name in names), folder / "sctk/csrnab.ref", folder / "sctk/csrnab.hyp"]
    sides = [{}, {}]
    for number, path in enumerate(paths):
        lines = re.findall(r"(?m)^(?:<s>)?(.*?)(?:</s>)? \((\S+)(?: -\d+)?\)$", path.read_text(encoding="utf-8"))
        sides[number % 2] |= {key: text for text, key in lines}
    pairs = [(text, sides[1][key]) for key, text in sides[0].items() if key in sides[1]]
    assert len(pairs) > 50
    return [text for text, _ in pairs], {"x": [output for _, output in pairs]}


def repeated(folder):
    text = (folder / "repeated_runs/lines.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    runs = {str(run): [row[f"run{run}"] for row in rows] for run in range(1, 6)}
    return [row["ref"] for row in rows], {"ocr": [row["ocr"] for row in rows], "corrected": runs}


@pytest.mark.slow
@pytest.mark.parametrize("read", [directories, rare_words, calls, repeated, pages, utterances])
def test_real_outputs_raise_no_alarm(read, shared_data):
    references, systems = read(shared_data)
    result = evaluate(references, systems, metrics="cer", normalizer="whitespace", seed=1, statistics={"resamples": 99})
    alarms = ("wrong references", "share text", "cut elsewhere", "begin with ids", "refuses to read", "have the same")
    assert [warning for warning in result.warnings if any(alarm in warning for alarm in alarms)] == []
    assert not any(result.pairing.values())
