"""What is looked at of a file: its layout, without its content, and what is read of it, as plain values."""

from __future__ import annotations

import hashlib
import json
import math
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

PINNED = Path(__file__).with_name("layouts.json")


def digest_layout(path: Path) -> str:
    """Digest of columns, keys and types of a file or a folder of files."""
    described = json.dumps(_describe(path), sort_keys=True)
    return hashlib.sha256(described.encode()).hexdigest()[:16]


def _describe(path: Path) -> Any:
    if path.is_dir():
        return {each.name: _describe(each) for each in sorted(path.iterdir())}
    if path.suffix == ".parquet":
        file = pq.read_metadata(path)
        columns = {
            name: str(kind) for name, kind in zip(file.schema.names, file.schema.to_arrow_schema().types, strict=False)
        }
        return [columns, _shape(json.loads(file.metadata[b"misread"]))]
    if path.suffix == ".pickle":
        pickled = pickle.loads(path.read_bytes())  # noqa: S301  a file of this repository, or just made
        return _shape(json.loads(json.dumps(plain(pickled))))
    if path.suffix == ".jsonl":
        return [_shape(json.loads(line[line.index("{") :])) for line in path.read_text(encoding="utf-8").splitlines()]
    if path.suffix == ".csv":
        first, names, *_ = path.read_text(encoding="utf-8").splitlines()
        return [names, _shape(json.loads(first[first.index("{") :]))]
    return _shape(json.loads(path.read_bytes()))


def _shape(value: Any) -> Any:
    """Keys and types of JSON; a list has those of its entries, each once."""
    if isinstance(value, dict):
        return {name: _shape(of) for name, of in value.items()}
    if isinstance(value, list):
        return sorted({json.dumps(_shape(of), sort_keys=True) for of in value})
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def plain(value: Any) -> Any:
    """Records, arrays and whatever is in them as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type) and not isinstance(value, Sequence):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(of) for name, of in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(of) for of in value]
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return value if isinstance(value, int | float | str | bool | None) else str(value)


def lacks(found: Any, expected: Any, place: str = "") -> list[str]:
    """Places where `found` is not as expected; what it has besides is no matter."""
    if isinstance(expected, dict) and isinstance(found, dict):
        missing = [f"{place}.{name}" for name in expected.keys() - found.keys()]
        common = expected.keys() & found.keys()
        return missing + [each for name in common for each in lacks(found[name], expected[name], f"{place}.{name}")]
    if isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        pairs = enumerate(zip(found, expected, strict=True))
        return [each for number, (one, other) in pairs for each in lacks(one, other, f"{place}[{number}]")]
    return [] if found == expected else [f"{place}: {found!r}, expected {expected!r}"]
