"""Configurations: params.yaml, conf/, and the record of a study."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import yaml

from misread.cli.compose import compose_text
from misread.io import yaml_files
from misread.io.text import read_text
from misread.io.yaml_files import parse_yaml, read_yaml
from misread.pipeline.configuration_check import check_configuration
from misread.pipeline.params import load_params
from misread.study.template import read_study
from tools.fuzz.mutations import change_value, mutate
from tools.fuzz.targets import Target, file_target, folder_target
from tools.parts import ROOT

_RICH: Final[dict[str, Any]] = {
    "configured_metrics": {
        "fields_f1": {"_target_": "misread.features.answers.FieldMatch", "score": "f1", "flatten": True}
    },
    "prices": {
        "tesseract": {"encoding": "cl100k_base", "usd_per_1000_tokens": 0.01, "date": "2025-01-01", "source": "s"}
    },
    "equivalents": [["going to", "gonna"]],
    "normalizer": {"name": "own", "steps": ["nfc", {"step": "remove_punctuation", "keep": "%"}]},
}


def targets() -> Iterator[Target]:
    """What a project is configured by."""
    params = (ROOT / "params.yaml").read_bytes()
    rich = {**yaml.safe_load(params), **_RICH}
    yield file_target("yaml", read_yaml, ".yaml", [params])
    settings = {"title": "t", "about": "a", "systems": ["s"], "datasets": ["d"]}
    record = json.dumps({"misread": "0.1.0", "settings": settings, "written": {}}).encode()
    yield folder_target("study", read_study, {".misread/study.json": record})
    yield Target("params", [params, yaml.safe_dump(rich).encode()], _take_params, _change_yaml)
    defaults = yaml.safe_load((ROOT / "conf/config.yaml").read_bytes())["defaults"]
    choices = [choice for default in defaults if isinstance(default, dict) for choice in default.items()]
    # Those that are composed; whatever else is broken would not be read.
    files = ["config.yaml"]
    for group, names in choices:
        files += [f"{group}/{name}.yaml" for name in ([names] if isinstance(names, str) else names)]
    yield folder_target("conf", _take_conf, {file: (ROOT / "conf" / file).read_bytes() for file in files})


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
