"""conf/ of earlier versions: metrics as a list of ids and settings of some, data sets without a folder to watch."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from misread.errors import ConfigurationError
from misread.io.text import read_text
from misread.io.yaml_files import parse_yaml, read_yaml
from misread.pipeline.earlier_metrics import in_present_form
from misread.study.repository import watched_folder
from misread.study.template import in_one_line

_GROUP: Final = "configured_metrics"
# Comments that misread wrote above the two sections, and the present one.
_COMMENT: Final = re.compile(r"(?m)^# Ids of metrics: those of `configured_metrics`.*\n")
_GROUP_COMMENT: Final = re.compile(
    r"(?m)^# Metrics with settings of your own, by id\. Without a `_target_`.*\n# such as.*\n"
)
_PRESENT_COMMENT: Final = (
    "# Metrics beside those of the sets chosen above, as names by id: {wer_sclite: wer(alignment=sclite)}. Files and "
    "columns\n# have the id, signatures the name.\n"
)


def present_config(text: str, folder: Path) -> str:
    """The text with metrics as names by id; comments stay, and a text that has them so stays as it is.

    `folder` has the group `configured_metrics` from which the text may choose. Raises ConfigurationError for a metric
    that no name can be, and for a chosen file that is not there.
    """
    content = parse_yaml(text, "conf/config.yaml")
    if not isinstance(content, Mapping) or not isinstance(content.get("metrics"), list):
        return text
    chosen = _chosen(content.get("defaults"), folder)
    configured = {**chosen, **(content.get(_GROUP) or {})}
    names = in_present_form({"metrics": content["metrics"], _GROUP: configured})["metrics"]
    text = _GROUP_COMMENT.sub("", _COMMENT.sub(lambda _: _PRESENT_COMMENT, text))
    text, comments = _without_section(text, _GROUP)
    text = re.sub(rf"(?m)^(\s*- ){_GROUP}:.*\n", r"\1metrics: []\n", text)
    lines = text.splitlines(keepends=True)
    first, last = _section(lines, "metrics")
    comments = [*comments, *(line for line in lines[first:last] if line.lstrip().startswith("#"))]
    section = f"metrics: {in_one_line(names)}\n"
    return "".join([*lines[:first], *(comment.lstrip() for comment in comments), section, *lines[last:]])


def add_watched(root: Path) -> dict[str, tuple[str, str]]:
    """Files of data sets that name no folder to watch: their texts, and with it below the line of the data's folder."""
    texts = {path: read_text(path) for path in sorted((root / "conf/datasets").glob("*.yaml"))}
    changed: dict[str, tuple[str, str]] = {}
    for path, text in texts.items():
        content = parse_yaml(text, path)
        entries = content.get("datasets", {}) if isinstance(content, Mapping) else {}
        for dataset, section in entries.items() if isinstance(entries, Mapping) else ():
            roots = [*re.finditer(r"(?m)^( +)root:.*\n", text)]
            if not isinstance(section, Mapping) or "watched" in section or len(roots) != 1:
                continue
            watched = watched_folder(root, str(section.get("root")), dataset)
            line = f"{roots[0][1]}watched: {in_one_line(watched)}\n"
            relative = path.relative_to(root).as_posix()
            changed[relative] = text, f"{text[: roots[0].end()]}{line}{text[roots[0].end() :]}"
    return changed


def _chosen(defaults: Any, folder: Path) -> dict[str, Any]:
    """Settings of the metrics that the list of defaults chooses from files of the study."""
    groups = [entry for entry in defaults or () if isinstance(entry, Mapping)]
    chosen: dict[str, Any] = {}
    for name in [name for entry in groups for name in entry.get(_GROUP) or ()]:
        path = folder / _GROUP / f"{name}.yaml"
        if not path.is_file():
            raise ConfigurationError(
                f"conf/config.yaml chooses {_GROUP}: {name}, which misread no longer brings; take {name} out of "
                "`defaults` and `metrics`, run this again, and name the metric then."
            )
        chosen |= read_yaml(path)
    return chosen


def _without_section(text: str, name: str) -> tuple[str, list[str]]:
    """A text without a section and the empty line behind it, and the comments that stood in it."""
    lines = text.splitlines(keepends=True)
    first, last = _section(lines, name)
    comments = [line for line in lines[first:last] if line.lstrip().startswith("#")]
    return "".join([*lines[:first], *lines[last + (lines[last : last + 1] == ["\n"]) :]]), comments


def _section(lines: Sequence[str], name: str) -> tuple[int, int]:
    """First line of a section, and the one behind its last."""
    first = next((number for number, line in enumerate(lines) if line.startswith(f"{name}:")), len(lines))
    last = first + 1
    # A list may stand without indentation.
    while last < len(lines) and re.match(r"[ \t]+\S|- |[\]}]", lines[last]):
        last += 1
    return first, min(last, len(lines))
