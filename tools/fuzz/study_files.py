"""Files of a study: params.yaml, conf/, its record, and what stages hand on, of any version or damaged."""

import hashlib
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from tests.golden.examples import EXAMPLES, STAGE_KINDS

from misread.io import yaml_files
from misread.io.json_files import read_json, record_to_json
from misread.io.layouts import LAYOUTS
from misread.io.text import read_text
from misread.io.yaml_files import parse_yaml, read_yaml
from misread.pipeline.composition import compose_text
from misread.pipeline.configuration_check import check_configuration
from misread.pipeline.params import load_params
from misread.study.template import Record, check_version
from tools.fuzz.mutations import change_value, mutate
from tools.fuzz.targets import Target, file_target, folder_target
from tools.parts import ROOT

_RICH: Final[dict[str, Any]] = {
    "metrics": {
        **{name: name for name in ("cer", "wer", "cer_raw", "wer_raw")},
        "fields_f1": "field_f1(flatten=true,rules={total:{compare:number}})",
    },
    "prices": {
        "tesseract": {"encoding": "cl100k_base", "usd_per_1000_tokens": 0.01, "date": "2025-01-01", "source": "s"}
    },
    "normalizer": {"name": "own", "steps": ["nfc", {"step": "remove_punctuation", "keep": "%"}]},
}


def targets() -> Iterator[Target]:
    """What a project is configured by."""
    params = (ROOT / "params.yaml").read_bytes()
    rich = {**yaml.safe_load(params), **_RICH}
    yield file_target("yaml", read_yaml, ".yaml", [params])
    record = record_to_json(Record(misread="0.1.0"), kind="study")
    yield folder_target("study", check_version, {".misread/study.json": record})
    yield Target("params", [params, yaml.safe_dump(rich).encode()], _take_params, _change_yaml)
    counts = EXAMPLES["counts"]
    with tempfile.TemporaryDirectory(prefix="misread-fuzz-") as folder:
        path = Path(folder) / counts.name
        counts.write(path)
        yield replace(file_target("counts", counts.read, ".csv", [path.read_bytes()]), change=_change_counts)
    defaults = yaml.safe_load((ROOT / "conf/config.yaml").read_bytes())["defaults"]
    choices = [choice for default in defaults if isinstance(default, dict) for choice in default.items()]
    # Those that are composed; whatever else is broken would not be read.
    files = ["config.yaml"]
    for group, names in choices:
        files += [f"{group}/{name}.yaml" for name in ([names] if isinstance(names, str) else names)]
    yield folder_target("conf", _take_conf, {file: (ROOT / "conf" / file).read_bytes() for file in files})


def _change_counts(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
    """A file of counts with another value or other bytes, and in most cases the digest of what it has then."""
    if rng.random() < 0.25:
        return mutate(rng, sample, others)
    head, _, body = sample.decode("utf-8", "replace").partition("\n")
    note = head[head.index("{") :]
    if rng.random() < 0.5:
        note = json.dumps(change_value(rng, json.loads(note)))
    else:
        body = mutate(rng, body.encode(), others).decode("utf-8", "replace")
    digest = hashlib.sha256(f"{note}\n{body}".encode()).hexdigest()[:16]
    return f"# misread counts {LAYOUTS['counts']} {digest} {note}\n{body}".encode()


def _take_params(data: bytes, folder: Path) -> None:
    path = folder / "params.yaml"
    path.write_bytes(data)
    check_configuration(load_params(path))


def _take_conf(folder: Path) -> None:
    """Compose a folder, of which all files but one are those of the input before: these were looked at, and pass."""
    with patch.object(yaml_files, "read_yaml", lambda path: _look_at(read_text(path), path.name)):
        composed = compose_text(folder, [])
    if not isinstance(yaml.load(composed, yaml.CSafeLoader), dict):
        raise AssertionError("what is composed is no configuration")  # noqa: TRY004  a finding


@lru_cache(1000)
def _look_at(text: str, name: str) -> None:
    parse_yaml(text, name)


def _change_yaml(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
    """A configuration with another value; one in four with other bytes."""
    if rng.random() < 0.25:
        return mutate(rng, sample, others)
    content = _content_of(sample)
    for _ in range(rng.choice((1, 1, 2, 3))):
        content = change_value(rng, content)
    return yaml.dump(content, Dumper=yaml.CSafeDumper, allow_unicode=False).encode()


@cache
def _content_of(sample: bytes) -> Any:
    return yaml.safe_load(sample)


_NOTE: Final = b"misread"
_KINDS: Final = (pa.int64(), pa.float64(), pa.bool_(), pa.binary(), pa.large_string(), pa.list_(pa.string()))


def stage_targets() -> Iterator[Target]:
    """Every file of a stage that another reads, of each kind the example."""
    with tempfile.TemporaryDirectory(prefix="misread-fuzz-") as folder:
        for kind in (*STAGE_KINDS, "journal"):
            example = EXAMPLES[kind]
            path = Path(folder) / example.name
            example.write(path)
            target = file_target(kind, example.read, path.suffix, [path.read_bytes()])
            yield replace(target, change=_change_table) if path.suffix == ".parquet" else target
            if kind == "comparison":
                yield file_target("json", read_json, ".json", target.samples)


def _change_table(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
    """A table with other columns, or another note; one in four with other bytes."""
    if rng.random() < 0.25:
        return mutate(rng, sample, others)
    table = pq.read_table(BytesIO(sample))
    note: Any = json.loads(table.schema.metadata[_NOTE])
    for _ in range(rng.choice((1, 1, 2, 3))):
        if rng.random() < 0.5 or not table.num_columns:
            note = change_value(rng, note)
        else:
            table = _change_columns(rng, table, rng.randrange(table.num_columns))
    content = BytesIO()
    encoded = json.dumps(note).encode() if rng.random() < 0.97 else mutate(rng, json.dumps(note).encode(), ())
    pq.write_table(table.replace_schema_metadata({_NOTE: encoded}), content)
    return content.getvalue()


def _change_columns(rng: random.Random, table: pa.Table, position: int) -> pa.Table:
    """A table of fewer or more columns or rows, with another name, with gaps, or with values of another type."""
    name, column = table.column_names[position], table.column(position)
    other = rng.choice(_KINDS)
    try:
        cast = column.cast(other)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        cast = pa.nulls(len(table), other)
    gaps = column.take(pa.array([row if rng.random() < 0.5 else None for row in range(len(table))], pa.int64()))
    return rng.choice(
        (
            table.remove_column(position),
            table.append_column(name, column),
            table.slice(rng.randrange(len(table) + 1)),
            table.set_column(position, f"{name}x", column),
            table.set_column(position, name, gaps),
            table.set_column(position, name, cast),
        )
    )
