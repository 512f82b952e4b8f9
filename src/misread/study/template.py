"""The files of a study that misread writes, and the record of the version that wrote them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Final

from misread.errors import ConfigurationError, InputFileError
from misread.io.yaml_files import dump_yaml
from misread.version import __version__

CONFIG: Final = "conf/config.yaml"
# By path in the study. Files that Git or DVC would take for those of this repository have other names here: DVC reads
# every dvc.yaml below its root.
_FILES: Final = {
    ".dvcignore": "dvcignore",
    ".gitattributes": "gitattributes",
    ".gitignore": "gitignore",
    "Makefile": "Makefile",
    "README.md": "README.md",
    CONFIG: "config.yaml",
    "conf/programs/README.md": "programs.md",
    "data/judged/README.md": "judged.md",
    "dvc.yaml": "pipeline.yaml",
    "src/study/README.md": "own_code.md",
    "stages/captures/dvc.yaml": "captures.yaml",
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
    metric_sets: Sequence[str] = ("ocr",)
    metrics: Mapping[str, str] = field(default_factory=dict)  # names by id, in addition to those of the sets
    normalizer: Any = "whitespace"
    missing: str = "error"
    baseline: str | None = None
    report: Mapping[str, Any] = field(default_factory=dict)
    data_root: str = ".."


def dump_settings(content: Any, *, in_one_line: bool = False) -> str:
    """YAML for conf/; refuses texts that Hydra would take for another setting's name."""
    text = dump_yaml(content, in_one_line=in_one_line)
    if reference := re.search(r"[^\s:]*\$\{[^\n}]*\}?", text):
        raise ConfigurationError(
            f"{reference[0]!r} has ${{, with which the configuration of a study refers to a setting; give the file, "
            "column or system another name."
        )
    return text


def render(settings: Settings) -> dict[str, str]:
    """All files by their path in the study, with the settings filled in."""
    texts = {"title": settings.title, "about": settings.about, "version": __version__}
    choices = {name: value for name, value in vars(settings).items() if name not in texts}
    places = texts | {name: dump_settings(value, in_one_line=True) for name, value in choices.items()}
    folder = files("misread.study.templates")
    contents = {path: folder.joinpath(name).read_text(encoding="utf-8") for path, name in _FILES.items()}
    filled = {path: _Places(contents[path]).substitute(places) for path in (CONFIG, "README.md")}
    return {**contents, **filled}


RECORD: Final = Path(".misread/study.json")


@dataclass(frozen=True, kw_only=True)
class Record:
    """The version that wrote a study."""

    misread: str


def check_version(root: Path) -> None:
    """Raise ConfigurationError if the installed misread is older than the study, InputFileError for a damaged record.

    A folder without a record passes.
    """
    from packaging.version import Version

    from misread.io import read_record

    if not (root / RECORD).is_file():
        return
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
