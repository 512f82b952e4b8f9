"""`misread list`: the names that options and configurations take, each with its meaning."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

import typer

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.io.console import write_out
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.data.formats.base import Format
    from misread.sockets.plug import Plug


class Kind(StrEnum):
    """Kinds of names."""

    METRICS = "metrics"
    NORMALIZERS = "normalizers"
    STEPS = "steps"
    FORMATS = "formats"
    REGIMES = "regimes"
    VIEWS = "views"
    ENGINES = "engines"
    SYSTEMS = "systems"
    DATASETS = "datasets"
    SETS = "sets"


def list_names(
    kind: Annotated[Kind, typer.Argument(help="What to list.")],
    family: Annotated[str, typer.Argument(help="Family of metrics to explain, such as flags, or all.")] = "",
) -> None:
    """List metrics, normalizers, steps, formats and more.

    Every line has a name, as options and configurations take it, and its meaning; metrics are listed by family first.
    Systems, data sets and sets of metrics are those of conf/ here and of the package.
    """
    if family and kind is not Kind.METRICS:
        raise ConfigurationError(f"{kind.value} have no families; leave out {family!r}.")
    rows = list(_metrics(family) if family else _ROWS[kind]())
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        write_out("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _families() -> Iterator[tuple[str, ...]]:
    from misread.sockets.metrics import NAMES

    yield "family", "metrics (misread list metrics FAMILY explains them)"
    names: dict[str, list[str]] = {}
    for name, plug in NAMES.items():
        names.setdefault(_family(plug), []).append(name)
    yield from ((family, ", ".join(members)) for family, members in names.items())


def _family(plug: Plug) -> str:
    """Folder of a feature, or module of the package of metrics."""
    return plug.module.split(".")[2]


def _metrics(family: str) -> Iterator[tuple[str, ...]]:
    from misread.metrics import Direction
    from misread.sockets.metrics import METRICS, NAMES

    yield "metric", "better", "what it is"
    families = {"all", *map(_family, NAMES.values())}
    check_choice("family", family, families)
    above = ""
    for name, plug in NAMES.items():
        if family not in ("all", _family(plug)):
            continue
        measured = METRICS[name] if name in METRICS else plug.load()
        better = "lower" if measured.direction is Direction.LOWER_IS_BETTER else "higher"
        meaning = _first_line(plug.load())
        yield name, better, f"{'as above' if meaning == above else meaning} {_spell_settings(plug.settings)}".rstrip()
        above = meaning


def _normalizers() -> Iterator[tuple[str, ...]]:
    from misread.normalize import PROFILES

    yield "normalizer", "steps"
    for name, steps in PROFILES.items():
        yield name, ", ".join(map(_describe_step, steps)) or "no step"


def _steps() -> Iterator[tuple[str, ...]]:
    from misread.normalize.steps import STEPS

    yield "step", "what it does"
    for name, facts in STEPS.items():
        yield name, _first_line(getattr(import_module(facts.home), name))


def _formats() -> Iterator[tuple[str, ...]]:
    from misread.data.formats import FORMATS, TABLES

    yield "format", "paired by", "convert", "settings", "what it is"
    for form in FORMATS.values():
        ways = [*(["from"] if form.has_segments else []), *(["to"] if form.write else [])]
        yield form.name, form.paired_by, " ".join(ways), _list_settings(form), form.help
    for form in TABLES.values():
        way = "from to" if form.write else "from" if form.read else ""
        yield form.name, "--table", way, "", f"{form.help}{' (--from table)' if way else ''}"


def _list_settings(form: Format) -> str:
    """Settings in the name of a format, each with the values that it can have."""
    if not form.defaults:
        return ""
    from misread.io.checks.settings import declared_types

    types = declared_types(type(form.settings))
    choices = {name: "|".join(map(str, get_args(types[name]))) for name in form.defaults}
    return ", ".join(
        f"{name}={choices[name] or ('true' if value is False else 'FOLDER')}" for name, value in form.defaults.items()
    )


def _regimes() -> Iterator[tuple[str, ...]]:
    from misread.sockets.settings import SETTINGS

    yield from SETTINGS["regime"].load()().catalogue()


def _views() -> Iterator[tuple[str, ...]]:
    from misread.sockets.views import VIEWS

    yield "view", "what it shows"
    for name, plug in VIEWS.items():
        yield name, _first_line(plug.load())


def _engines() -> Iterator[tuple[str, ...]]:
    from misread import engines

    yield "engine", "what it reads with"
    for name in dir(engines):
        adapter = getattr(engines, name)
        if hasattr(adapter, "open") and not inspect.isabstract(adapter) and not getattr(adapter, "_is_protocol", False):
            yield f"misread.engines.{name}", _first_line(adapter)


def _systems() -> Iterator[tuple[str, ...]]:
    yield "system", "what reads"
    yield from _list_classes("systems")


def _datasets() -> Iterator[tuple[str, ...]]:
    yield "dataset", "what it is read by"
    yield from _list_classes("datasets")


def _list_classes(group: str) -> Iterator[tuple[str, str]]:
    for name, content in read_group(group):
        entries = content.get(group)
        sections = entries.values() if isinstance(entries, Mapping) else ()
        targets = [str(section.get("_target_")) for section in sections if isinstance(section, Mapping)]
        yield show_label(name), show_label(", ".join(targets))


def _sets() -> Iterator[tuple[str, ...]]:
    yield "set", "metrics"
    for name, content in read_group("metrics"):
        yield show_label(name), show_label(", ".join(map(str, content)))


def read_group(group: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Files of a group of Hydra by name: those of conf/ here before those of the package."""
    from misread.io.yaml_files import read_yaml
    from misread.pipeline.composition import CONF, names_in
    from misread.pipeline.paths import SHIPPED_CONF

    for name in names_in(CONF, group):
        path = Path(group, f"{name}.yaml")
        content = read_yaml(CONF / path if (CONF / path).is_file() else SHIPPED_CONF / path)
        yield name, content if isinstance(content, Mapping) else {}


_ROWS: Final = {
    Kind.METRICS: _families,
    Kind.NORMALIZERS: _normalizers,
    Kind.STEPS: _steps,
    Kind.FORMATS: _formats,
    Kind.REGIMES: _regimes,
    Kind.VIEWS: _views,
    Kind.ENGINES: _engines,
    Kind.SYSTEMS: _systems,
    Kind.DATASETS: _datasets,
    Kind.SETS: _sets,
}


def _first_line(documented: object) -> str:
    return (inspect.getdoc(documented) or "").partition("\n")[0]


def _describe_step(step: str | Mapping[str, Any]) -> str:
    if isinstance(step, str):
        return step
    settings = ", ".join(f"{name}={value!r}" for name, value in step.items() if name != "step")
    return f"{step['step']}({settings})"


def _spell_settings(settings: Mapping[str, Any]) -> str:
    return f"[{', '.join(f'{name}={value}' for name, value in settings.items())}]" if settings else ""
