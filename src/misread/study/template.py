"""The files of a study that misread writes, and rewrites in later versions, with the record of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Final

from misread.errors import ConfigurationError, InputFileError
from misread.version import __version__

# By path in the study. Files that Git or DVC would take for those of this repository have other names here: DVC reads
# every dvc.yaml below its root.
_FILES: Final = {
    ".dvcignore": "dvcignore",
    ".gitignore": "gitignore",
    "Makefile": "Makefile",
    "README.md": "README.md",
    "conf/config.yaml": "config.yaml",
    "data/judged/README.md": "judged.md",
    "dvc.yaml": "pipeline.yaml",
    "stages/captures/dvc.yaml": "captures.yaml",
}
# Old and new paths of folders that moved since older versions.
MOVED: Final = {
    "captures": "stages/captures",
    "judged": "data/judged",
    "plugin_digests": "build/plugin_digests",
}


class _Places(Template):
    """Placeholders begin with @: in these files, $ belongs to Hydra, DVC or the shell."""

    delimiter = "@"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Values of the placeholders: choices in conf/config.yaml, and two texts of the README."""

    title: str
    about: str
    systems: Sequence[str]
    datasets: Sequence[str]
    metrics: Sequence[str] = ("cer", "wer", "cer_raw", "wer_raw")
    configured_metrics: Mapping[str, Any] = field(default_factory=dict)
    normalizer: Any = "whitespace"
    baseline: str | None = None
    report: Mapping[str, Any] = field(default_factory=dict)
    data_root: str = ".."


def render(settings: Settings) -> dict[str, str]:
    """All files by their path in the study, with the settings filled in."""
    choices = ("systems", "datasets", "metrics", "configured_metrics", "normalizer", "baseline", "report", "data_root")
    places = {name: _in_one_line(getattr(settings, name)) for name in choices}
    places |= {"title": settings.title, "about": settings.about, "version": __version__}
    folder = files("misread.study.templates")
    texts = {path: folder.joinpath(name).read_text(encoding="utf-8") for path, name in _FILES.items()}
    filled = {path: _Places(texts[path]).substitute(places) for path in ("conf/config.yaml", "README.md")}
    return {**texts, **filled}


def _in_one_line(value: Any) -> str:
    """YAML of a value, in one line."""
    import yaml

    if value is None:
        return "null"
    plain = json.loads(json.dumps(value))
    return (
        str(yaml.safe_dump(plain, default_flow_style=True, allow_unicode=True, width=10**6))
        .removesuffix("...\n")
        .strip()
    )


RECORD: Final = Path(".misread/study.json")


@dataclass(frozen=True, kw_only=True)
class Record:
    """The version that wrote a study, its settings, and the written files by path."""

    misread: str
    settings: Settings
    written: Mapping[str, str]


def read_study(root: Path) -> Record | None:
    """Read the record of a study; None if there is none. Raises InputFileError if it cannot be read.

    Raises ConfigurationError if the installed misread is older than the study.
    """
    from packaging.version import Version

    from misread.io import read_record

    if not (root / RECORD).is_file():
        return None
    record = read_record(root / RECORD, Record, kind="study", command="git checkout HEAD -- .misread")
    try:
        written_by = Version(record.misread)
    except ValueError:
        # InvalidVersion is a ValueError, and so is Python's error for a number of five thousand digits.
        raise InputFileError(
            f"{root / RECORD}: misread is {record.misread!r}, expected the version that wrote it; run "
            "`git checkout HEAD -- .misread`."
        ) from None
    if written_by > Version(__version__):
        raise ConfigurationError(
            f"this study was written by misread {record.misread} ({RECORD}), and {__version__} is installed: "
            f"pip install 'misread[pipeline]>={record.misread}'."
        )
    return record
