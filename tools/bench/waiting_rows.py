"""Rows for what people wait for: records of answers, disputes, odd tables, large logs, models on this machine."""

import json
import os
import random
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pandas as pd
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

import misread
from misread.data.formats.tables import read_rows
from misread.data.segment_table import Source
from misread.engines import Transformers
from misread.engines.loading import load_image
from misread.features.answers import FieldMatch
from misread.metrics import ScoredText
from tools.bench.measure import Measure, Peer, Row, costs, run_python, speed_up, times_as_long
from tools.bench.texts import LETTERS, corrupt, make_pairs
from tools.parts import ROOT

_SHARED = Path(os.environ.get("MISREAD_DATA_ROOT", ROOT.parent / "shared/data"))
_READ_LOG = "from pathlib import Path; from misread.data import read_log; read_log(Path({!r}), 'inspect')"


def waiting_rows(scale: float) -> Iterator[Row]:
    """The sizes of their names at scale .25; models where PyTorch and ../shared/data are there."""
    number = max(2, round(312 * scale))
    yield Row(f"10 documents of {number} records, two systems", "field_f1(records=true)", _records(number), "at most 2")
    truth = make_pairs("Latin", 1, max(20, int(133_000 * scale)), 0.08)
    disputed = times_as_long(
        lambda: misread.dispute({"a": truth.references, "b": truth.hypotheses}, seed=1).spans,
        "CER of the pair",
        lambda: misread.evaluate(truth.references, {"b": truth.hypotheses}, metrics=["cer"], seed=1),
    )
    yield Row(f"{len(truth.references[0]):,} characters, 8% errors", "spans of a dispute", disputed, "at most 10")
    with TemporaryDirectory() as folder:
        table, log = Path(folder, "own.jsonl"), Path(folder, "log.eval")
        lines = max(2, int(1_200 * scale))
        table.write_text("".join(f"{json.dumps({f'{row}-{key}': key for key in range(50)})}\n" for row in range(lines)))
        measure = times_as_long(partial(read_rows, table), "pandas.read_json", partial(pd.read_json, table, lines=True))
        yield Row(f"{lines:,} lines of JSON with 50 keys of their own", "columns", measure, "at most 3")
        megabytes = max(1, int(400 * scale))
        _write_log(log, megabytes)
        work = f"log of Inspect, 16 samples of {megabytes} MB"
        measure = costs(partial(run_python, _READ_LOG.format(str(log))))
        yield Row(work, "texts and scores, whole process", measure, "10 CPU-s, 500 MB")
    if find_spec("torch") and (folder_of_model := _SHARED / "tiny_line_reader").exists():
        yield from _model_rows(folder_of_model, max(2, int(256 * scale)))


def _records(number: int) -> Measure:
    rng = random.Random(1)
    texts = iter(make_pairs("Latin", 80 * number, 2, 0.07).references)
    truth = [[{f"f{name}": next(texts) for name in range(8)} for _ in range(number)] for _ in range(10)]

    def misreadings(rows: list[dict[str, str]]) -> list[dict[str, str]]:
        return [{name: corrupt(rng, text, LETTERS["Latin"], 0.07) for name, text in row.items()} for row in rows]

    systems = [[*map(misreadings, truth)] for _ in range(2)]

    def assign() -> None:
        for rows, others in zip(truth * 2, chain(*systems), strict=True):
            errors = [[sum(map(Levenshtein.distance, a.values(), b.values())) for b in others] for a in rows]
            linear_sum_assignment(errors)

    metric = FieldMatch("field_f1", records=True)
    pairs = [ScoredText([*map(json.dumps, truth)], [*map(json.dumps, system)]) for system in systems]
    return times_as_long(lambda: [*map(metric.count, pairs)], "rapidfuzz by field + scipy assignment", assign)


def _write_log(path: Path, megabytes: int) -> None:
    words = [text for text in make_pairs("Latin", 5_000, 1, 0.1).references if text]
    rows = [{"word": words[row * row % len(words)], "box": [row, 2, 3, 4]} for row in range(megabytes * 20_000)]
    metadata = json.dumps(rows)
    sample = '"epoch": 1, "target": "a", "output": {"choices": [{"message": {"content": "a"}}]}'
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "status": "success", "eval": {"model": "m"}}))
        for number in range(16):
            text = f'{{{sample}, "id": {number}, "metadata": {{"rows": {metadata}}}}}'
            archive.writestr(f"samples/{number}_epoch_1.json", text)


def _model_rows(folder: Path, number: int) -> Iterator[Row]:
    """Batches beside the same reader with one line at a time, and beside a plain loop of `generate`."""
    import torch

    sources = [Source(path.stem, path) for path in sorted((folder / "lines").iterdir())[:number]]
    for dtype, sizes in (("float32", (16, 64)), ("bfloat16", (16,))):
        reader: Any = Transformers(model=str(folder / "model"), dtype=dtype).open()

        def read(size: int, reader: Any = reader) -> list[str]:
            parts = (sources[start : start + size] for start in range(0, len(sources), size))
            return [answer.text for part in parts for answer in reader.read_many(part)]

        def generate(size: int, reader: Any = reader) -> None:
            for start in range(0, len(sources), size):
                images = [load_image(source).convert("RGB") for source in sources[start : start + size]]
                inputs = reader.images(images=images, return_tensors="pt").to(reader.model.dtype)
                with torch.inference_mode():
                    tokens = reader.model.generate(**inputs, **reader._generation({}))  # noqa: SLF001  as the reader asks
                reader.tokenizer.batch_decode(tokens, skip_special_tokens=True)

        alone = read(1)
        for size in sizes:
            changed = sum(map(str.__ne__, read(size), alone))
            work = f"{len(sources)} lines, Transformers on a CPU, {dtype}, batches of {size}"
            output, together = f"texts, {changed} changed", partial(read, size)
            yield Row(work, output, speed_up(together, Peer("one line at a time", partial(read, 1))), "1.5")
            yield Row(work, output, speed_up(together, Peer("loop of generate", partial(generate, size))), "0.85")
