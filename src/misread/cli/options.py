"""Options that several commands take, as text from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast, get_args

import typer

from misread.cli.help_pages import Panel
from misread.errors import ConfigurationError, setting
from misread.io.checks.choices import check_choice

if TYPE_CHECKING:
    from misread.metrics import Metric
    from misread.stats.compare.settings import PairedTest

NOT_AT_HAND: Final = 4
"""Exit status where neither Git nor the cache or remote of DVC has the results of a revision: no verdict has it."""

Context = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Columns shown on either side of an error; longer equal stretches are left out.",
        rich_help_panel=Panel.OUTPUT,
    ),
]
Full = Annotated[
    bool,
    typer.Option(
        "--full", help="Show everything, also the text that equals the reference.", rich_help_panel=Panel.OUTPUT
    ),
]
AsciiOnly = Annotated[bool, typer.Option("--ascii", help="Marks in ASCII.", rich_help_panel=Panel.OUTPUT)]
RawCsv = Annotated[
    bool,
    typer.Option(
        "--raw-csv",
        help="CSV with texts as they are, though a spreadsheet may take one for a formula.",
        rich_help_panel=Panel.OUTPUT,
    ),
]
Width = Annotated[
    int | None,
    typer.Option(
        min=20,
        max=10_000,
        help="Columns of the screen; else those of the terminal, or 80 where there is none.",
        rich_help_panel=Panel.OUTPUT,
    ),
]


Margin = Annotated[
    float | None,
    typer.Option(
        help="Largest difference of rates that does not matter (0.005: half a point).",
        rich_help_panel=Panel.STATISTICS,
    ),
]
ProjectDataset = Annotated[
    str | None, typer.Option(help="Instead of files: data set of the project whose texts the pipeline has made.")
]
ProjectSystems = Annotated[str | None, typer.Option(help="With --dataset: ids of systems, joined by commas.")]
OneMetric = Annotated[str, typer.Option("--metrics", help="Name of the metric; one at a time.")]


def split_list(text: str | None, *, option: str) -> list[str]:
    """Split a text at its commas, without blanks around the parts; an option that was not given has no parts.

    Raises ConfigurationError if the option was given without any part, or names one twice.
    """
    if text is None:
        return []
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise ConfigurationError(f"{option} is empty; name at least one, or leave it out.")
    twice = next((part for part in parts if parts.count(part) > 1), None)
    if twice is not None:
        raise ConfigurationError(f"{option} names {twice!r} twice; once is enough.")
    return parts


def use_own_module(name: str) -> None:
    """Let the module of a dotted name, which names code of one's own, be imported: of the study, or of this folder."""
    if "." in name:
        from misread.provenance.plugins import STUDY, find_study_module, use_study_modules

        package = name.split(".")[0]
        of_study = package == STUDY.name and find_study_module(package, STUDY.parent)
        use_study_modules([package], STUDY.parent if of_study else Path())


def metrics_of_option(listed: Sequence[str]) -> list[Metric]:
    """Make the metrics whose names `--metrics` lists, or those of a set.

    Raises ConfigurationError if it lists none, or one twice.
    """
    from misread.io.names import bare_name
    from misread.sockets import get_metrics

    sets, names = metric_names(listed)
    own = [
        f"{metric_id}={name}" if metric_id != name else name
        for by_id in sets.values()
        for metric_id, name in by_id.items()
    ]
    for name in names:
        use_own_module(bare_name(name))
    return get_metrics([*own, *names])


def metric_names(listed: Sequence[str]) -> tuple[dict[str, Mapping[str, str]], list[str]]:
    """Sets that `--metrics` lists, with the names of their metrics by id, and other names; raises if there are none."""
    from misread.io.names import split_names
    from misread.sockets.metrics import NAMES

    names = [name for text in listed for name in split_names(text)]
    if not names:
        raise ConfigurationError(f"{setting('metrics')} is empty; name at least one, or leave it out.")
    if all(name in NAMES or not name.isidentifier() for name in names):
        return {}, names
    from misread.cli.list_names import read_group

    content = dict(read_group("metrics"))
    sets = {name: content[name] for name in names if name in content and name not in NAMES}
    return sets, [name for name in names if name not in sets]


def metric_of_option(listed: str) -> Metric:
    """Make the metric of a command that is about one; raises ConfigurationError if `--metrics` lists several."""
    metrics = metrics_of_option([listed])
    if len(metrics) > 1:
        raise ConfigurationError(
            f"{setting('metrics')} lists {len(metrics)} metrics ({listed}); this command takes one."
        )
    return metrics[0]


def deciding_tests_for(runs: str) -> dict[str, Any]:
    """Settings of the statistics for a rule of repeated runs: runs that are crossed need a test that knows of them."""
    return {"runs": runs, **({"deciding_test": "jackknife", "tests": ["jackknife"]} if runs == "crossed" else {})}


def read_test_names(text: str) -> list[PairedTest]:
    """Split a list of tests; raises UnknownNameError or, if it is empty or has one twice, ConfigurationError."""
    from misread.stats.compare.settings import PairedTest

    if not text.strip(" ,"):
        raise ConfigurationError(
            f"{setting('tests')} is empty; name at least one of {', '.join(get_args(PairedTest))}."
        )
    names = split_list(text, option=setting("tests"))
    for name in names:
        check_choice("test", name, get_args(PairedTest), where=setting("tests"))
    return cast("list[PairedTest]", names)


def named_values(entries: Sequence[str], *, option: str = "--hyp", expected: str) -> dict[str, str]:
    """Split options of the form NAME=VALUE; raises ConfigurationError on another form, or a name that occurs twice."""
    values: dict[str, str] = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            raise ConfigurationError(f"{option} {entry!r}: expected {expected}.")
        if name in values:
            raise ConfigurationError(f"{option} names {name!r} twice; every system needs a name of its own.")
        values[name] = value
    return values
