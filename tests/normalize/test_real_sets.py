"""Real outputs in their place, some written otherwise, raise no alarm of chatter or pairing."""

import json

import pytest

from misread import evaluate
from misread.data import read_segment_files


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
    names = sorted(path.stem for path in (root / "transcripts/nlp_references").glob("*.nlp"))
    outputs = {name: root / "output/google" / f"{name}.nlp" for name in names}
    tables = [
        read_segment_files(root / "transcripts/nlp_references" / f"{name}.nlp", {"google": path}, "nlp")
        for name, path in outputs.items()
    ]
    return [table.references[0] for table in tables], {"google": [table.hypotheses["google"][0] for table in tables]}


def repeated(folder):
    text = (folder / "repeated_runs/lines.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    runs = {str(run): [row[f"run{run}"] for row in rows] for run in range(1, 6)}
    return [row["ref"] for row in rows], {"ocr": [row["ocr"] for row in rows], "corrected": runs}


@pytest.mark.slow
@pytest.mark.parametrize("read", [directories, rare_words, calls, repeated])
def test_real_outputs_raise_no_alarm(read, shared_data):
    references, systems = read(shared_data)
    result = evaluate(references, systems, metrics="cer", normalizer="whitespace", seed=1, statistics={"resamples": 99})
    alarms = ("wrong references", "share text", "cut elsewhere", "begin with ids", "refuses to read", "have the same")
    assert [warning for warning in result.warnings if any(alarm in warning for alarm in alarms)] == []
    assert not any(result.pairing.values())
