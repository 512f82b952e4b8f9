"""Terminal questions that define a study, and the engines that it can start with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import typer

from misread.errors import ConfigurationError, InputFileError, MisreadError
from misread.io.checks.choices import check_choice, require_utf8
from misread.io.console import print_error, write_out
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.study.content import Content

_PACKAGES: Final = {"tesseract": "tesserocr", "rapidocr": "rapidocr"}


def installed_engines() -> list[str]:
    """Engines that can read images here; raises ConfigurationError, which says how to get one, if there is none."""
    engines = [engine for engine, package in _PACKAGES.items() if find_spec(package)]
    if not engines:
        raise ConfigurationError("no engine is installed that could read images: pip install 'misread[tesseract]'.")
    return engines


Made = TypeVar("Made")

_NONE = "-"


def ask(root: Path) -> Content:
    """Ask what a study is about, until the answers can be read; `root` is its folder."""
    from misread.study.content import describe_example, describe_preset, preset_names

    kinds = {"table": _ask_table, "folder": lambda: _ask_folder(root), "preset": None, "example": describe_example}
    write_out("A study begins with a table, a folder of texts or images, a preset of misread, or an example.")
    kind = _ask("Begin with", lambda answer: _one_of("beginning", answer, kinds), default="table")
    if kind == "preset":
        return _ask(f"Preset ({', '.join(preset_names())})", describe_preset)
    make = kinds[kind]
    assert make is not None  # noqa: S101  for the type checker
    while True:
        try:
            content = make()
        except MisreadError as error:
            print_error(error)
        else:
            return content if kind == "example" else _ask_counts(content)


def _ask_counts(content: Content) -> Content:
    """Ask what may be committed of the counts of one's own data."""
    from misread.data import CountsSettings
    from misread.study.content import describe_committed, with_counts

    choices = {
        "git": CountsSettings(),
        "pseudonyms": CountsSettings(pseudonyms=True),
        "cache": CountsSettings(counts="cache"),
    }
    write_out(show_label(describe_committed(content)))
    chosen = _ask(
        "Commit that (git), hashes in place of ids and clusters (pseudonyms), or sums over clusters alone (cache)",
        lambda answer: _one_of("answer", answer, choices),
        default="git",
    )
    return with_counts(content, choices[chosen])


def _ask_table() -> Content:
    from misread.data import TableColumns
    from misread.data.formats.tables import read_rows
    from misread.study.content import describe_table

    table = Path(_ask("File of the table (.csv, .tsv, .jsonl, .parquet)", str))
    columns = list(read_rows(table).columns)
    write_out(f"Its columns: {', '.join(map(show_label, columns))}")
    ids = _ask("Columns that identify a segment, joined by commas", lambda answer: _columns(answer, columns))
    reference = _ask("Column of references", lambda answer: _one_of("column", answer, columns))
    systems = _ask("Columns of systems, joined by commas", lambda answer: _columns(answer, columns))
    cluster = _ask(
        f"Column of clusters, such as page or speaker ({_NONE} for none)",
        lambda answer: _one_of("column", answer, [*columns, _NONE]),
        default=_NONE,
    )
    described = TableColumns(reference=reference, segment_id=ids, cluster="" if cluster == _NONE else cluster)
    return describe_table(table, described, {name: name for name in systems})


def _ask_folder(root: Path) -> Content:
    from misread.study.content import describe_benchmark, describe_images, describe_texts, is_benchmark

    folder = _ask("Folder", _existing_folder)
    if is_benchmark(folder):
        return describe_benchmark(folder, root, engines=installed_engines())
    below = sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    reference = _NONE
    if len(below) > 1:
        write_out(f"Folders in it: {', '.join(map(show_label, below))}")
        reference = _ask(
            f"Folder of references ({_NONE} if there are images with a transcription beside each)",
            lambda answer: _one_of("folder", answer, [*below, _NONE]),
        )
    cluster = _ask(
        f"Regular expression whose group is the cluster in a name, such as ^([^_]+)_ ({_NONE} for none)",
        str,
        default=_NONE,
    )
    cluster = "" if cluster == _NONE else cluster
    if reference == _NONE:
        return describe_images(folder, root, engines=installed_engines(), cluster=cluster)
    systems = _ask(
        "Folders of systems, joined by commas",
        lambda answer: _columns(answer, [name for name in below if name != reference]),
    )
    return describe_texts(folder, root, reference=reference, systems={name: name for name in systems}, cluster=cluster)


def _ask(question: str, read: Callable[[str], Made], *, default: str | None = None) -> Made:
    """Ask until the answer can be read; errors are printed."""
    while True:
        answer = str(typer.prompt(question, default=default))
        try:
            require_utf8(answer)
            return read(answer)
        except MisreadError as error:
            print_error(error)


def _one_of(kind: str, answer: str, choices: Collection[str]) -> str:
    check_choice(kind, answer.strip(), choices)
    return answer.strip()


def _columns(answer: str, choices: Sequence[str]) -> list[str]:
    names = [name.strip() for name in answer.split(",") if name.strip()]
    for name in names:
        check_choice("name", name, choices)
    return list(dict.fromkeys(names))


def _existing_folder(answer: str) -> Path:
    path = Path(answer).expanduser()
    if not path.is_dir():
        raise InputFileError(f"there is no folder {path}.")
    return path
