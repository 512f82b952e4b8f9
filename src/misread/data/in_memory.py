"""Segments from texts in memory: Python sequences, or columns of a pandas DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, replace
from itertools import combinations
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from misread.data.formats.tables import Rows
from misread.data.run_columns import gather_runs
from misread.data.segment_table import SegmentTable, require_equal_lengths
from misread.data.table import table_of_rows
from misread.data.table_columns import TableColumns
from misread.errors import InputTypeError, InputValueError, MisreadError, UnknownNameError, needed_for
from misread.io.checks.choices import check_choice
from misread.io.text import as_unicode
from misread.text.arrow import is_arrow

if TYPE_CHECKING:
    import pandas as pd

_REFERENCES: Final = "references"
_CLUSTERS: Final = "clusters"
_IDS: Final = "ids"
_SYSTEMS: Final = "systems"

T = TypeVar("T")


def from_columns(
    references: Iterable[str],
    systems: Mapping[str, Iterable[str | None] | Mapping[str, Iterable[str | None]]],
    *,
    ids: Iterable[str | int] | None = None,
    clusters: Iterable[str | int] | None = None,
    groups: Mapping[str, Iterable[str | int]] | None = None,
    name: str = "texts",
    cluster_name: str | None = None,
) -> SegmentTable:
    """Make a table of segments from sequences of equal length, such as lists, pandas Series or Arrow arrays.

    Parameters
    ----------
    references : sequence of str
        Reference of every segment.
    systems : mapping of str to sequence of str, or to mapping of str to sequence of str
        Texts by system, or by system and run; None, NaN or `pandas.NA` is a missing hypothesis, unlike an empty text.
    ids : sequence of str or int, optional
        Distinct segment ids, else numbers from 1.
    clusters : sequence of str or int, optional
        Page, speaker or writer of every segment.
    groups : mapping of str to sequence of str or int, optional
        Labels by which results are broken down, by column.
    name : str
        Name of the data set.
    cluster_name : str, optional
        Name of a cluster, by default that of the Series, else "cluster".

    Raises
    ------
    InputTypeError
        If a text is not one, a reference is missing, or a column is not a sequence of texts; names column and index.
    InputValueError
        If there is no text or system, two ids are equal, or two Series have different indexes.
    LengthMismatchError
        If columns differ in length; names two and their lengths.
    """
    read, runs = _name_runs(systems, _SYSTEMS, "texts", lambda texts: isinstance(texts, Mapping))
    places = _name_places(read, runs)
    labels = {f"groups[{group!r}]": of_group for group, of_group in _require_named(groups or {}, "groups").items()}
    optional = {name: values for name, values in ((_IDS, ids), (_CLUSTERS, clusters)) if values is not None}
    texts = {places[name]: of_system for name, of_system in read.items()}
    if not systems:
        raise InputValueError("systems is empty, expected the texts of at least one system.")
    columns = _take_arguments({_REFERENCES: references, **texts, **optional, **labels})
    described = TableColumns(
        reference=_REFERENCES,
        segment_id=[] if ids is None else [_IDS],
        cluster="" if clusters is None else _CLUSTERS,
        groups=[*labels],
    )
    table = table_of_rows(
        _Sequences("the arguments", columns, range(len(columns[_REFERENCES]))),
        described,
        places,
        name=name,
        cluster_name="" if clusters is None else cluster_name or _name_of_series(clusters) or "cluster",
        group_names=[*(groups or {})],
    )
    return gather_runs(table, runs)


def _name_places(read: Iterable[str], runs: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Names of the texts of every system and run in the arguments."""
    places = {name: f"{_SYSTEMS}[{name!r}]" for name in read}
    return places | {
        name: f"{_SYSTEMS}[{system!r}][{run!r}]" for system, names in runs.items() for run, name in names.items()
    }


def _take_arguments(arguments: Mapping[str, Iterable[Any]]) -> dict[str, list[Any]]:
    """Values of every argument, at least one, as many of each and in one order."""
    columns = {column: _take_column(values, column) for column, values in arguments.items()}
    require_equal_lengths(columns)
    _require_equal_indexes(arguments)
    if not columns[_REFERENCES]:
        raise InputValueError("references is empty, expected one text per segment.")
    return columns


def with_annotations(
    table: SegmentTable, annotations: Mapping[str, Iterable[Any] | Mapping[str, Iterable[Any]]]
) -> SegmentTable:
    """Add annotations by name: a sequence with one value per segment, or such a sequence by system.

    Raises InputTypeError for a value that is no sequence, and LengthMismatchError for one of another length.
    """
    columns: dict[str, list[Any]] = {}
    by_system: dict[str, dict[str, list[Any]]] = {}
    for name, values in _require_named(annotations, "annotations").items():
        if isinstance(values, Mapping):
            for system, column in _require_named(values, f"annotations[{name!r}]").items():
                if system not in table.hypotheses:
                    raise UnknownNameError("system", system, table.hypotheses, where=f"annotations[{name!r}]")
                by_system.setdefault(system, {})[name] = _take_column(column, f"annotations[{name!r}][{system!r}]")
        else:
            columns[name] = _take_column(values, f"annotations[{name!r}]")
    return replace(table, annotations=columns, annotations_of=by_system)


def from_frame(
    frame: pd.DataFrame,
    *,
    systems: str | Sequence[str] | Mapping[str, str | Sequence[str]] | None = None,
    name: str = "frame",
    cluster_name: str = "",
    **columns: Any,
) -> SegmentTable:
    """Make a table of segments from columns of a pandas DataFrame, in the order of its rows; its index is not used.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row per segment; per segment and run if `run` is named, per segment and system if `system` is.
    systems : str, sequence of str, or mapping of str to str or to sequence of str
        Where a row has all systems: columns of hypotheses, which are called like their columns, or columns by system,
        several for one that read everything several times; None, NaN or `pandas.NA` is a missing hypothesis, unlike an
        empty text.
    name, cluster_name : str
        Names of the data set and of a cluster, which else is called like its column.
    **columns
        Names of columns, by what they hold: `reference`, `segment_id` and others, as in `TableColumns`.

    Raises
    ------
    InputTypeError
        If a text is not one, a reference is missing, or an argument is not of its type; names column and row.
    InputValueError
        If there is no row or system, columns share a name or have several levels, ids are equal, or rows of one segment
        contradict each other.
    UnknownNameError
        If there is no such column; offers the nearest.
    """
    described = _read_columns(columns)
    if (systems is None) == (not described.system):
        raise InputTypeError(
            "name the texts of a DataFrame either by systems (a column for each system), or by hypothesis and system "
            "(one column each)."
        )
    read, runs = ({}, {}) if described.system else _name_runs(_name_columns(systems), _SYSTEMS, "columns", _is_list)
    if runs and described.run:
        raise InputTypeError("run names a column, so that each system has one; systems lists several.")
    used = [*described.names, *read.values()]
    rows = _Columns("frame", _take_columns(frame, used), range(len(frame)))
    rows = rows.with_amounts(described.measured.values())
    return gather_runs(table_of_rows(rows, described, read, name=name, cluster_name=cluster_name), runs)


def _read_columns(columns: Mapping[str, Any]) -> TableColumns:
    """Columns that arguments name, each as one name or, of ids and groups, as several."""
    settings = {name: value for name, value in columns.items() if value is not None}
    for name, value in settings.items():
        check_choice("argument", name, [column.name for column in fields(TableColumns)])
        if name in ("segment_id", "groups"):
            settings[name] = [value] if isinstance(value, str) else _list_names(value, name)
        elif name != "measured" and not isinstance(value, str):
            raise InputTypeError(f"{name} is of type {type(value).__name__}, expected a column of the DataFrame.")
    return TableColumns(**settings)


def _name_columns(systems: Any) -> Mapping[str, str | Sequence[str]]:
    """Columns by system; one alone may have no list around it."""
    listed = [systems] if isinstance(systems, str) else systems
    if not isinstance(listed, Mapping):
        listed = {column: column for column in _list_names(listed, _SYSTEMS)}
    if not listed:
        raise InputValueError("systems is empty, expected the column of at least one system.")
    return listed


def _name_runs(
    systems: Mapping[str, Any], argument: str, what: str, has_runs: Callable[[Any], bool]
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Texts or columns under one name per system and run, and these names of the systems that have several, by run."""
    read: dict[str, Any] = {}
    runs: dict[str, dict[str, str]] = {}
    for system, content in _require_named(systems, argument).items():
        if not has_runs(content):
            read[system] = content
            continue
        contents = (
            content
            if isinstance(content, Mapping)
            else {str(number): entry for number, entry in enumerate(content, start=1)}
        )
        if not contents:
            raise InputValueError(f"{argument}[{system!r}] is empty, expected {what} of at least one run.")
        for run, other in combinations(contents, 2):
            if contents[run] is contents[other] or (what == "columns" and contents[run] == contents[other]):
                raise InputValueError(
                    f"{argument}[{system!r}] has the same {what} for runs {run} and {other}; give each run once."
                )
        runs[system] = {str(run): f"{system}, run {run}" for run in contents}
        read |= dict(zip(runs[system].values(), contents.values(), strict=True))
    return read, runs


def _is_list(columns: Any) -> bool:
    return isinstance(columns, Iterable) and not isinstance(columns, str)


class _Columns(Rows):
    """Columns in memory; their rows are counted from 0."""

    unit: ClassVar[str] = "row"
    wrong_type: ClassVar[type[MisreadError]] = InputTypeError
    wrong_value: ClassVar[type[MisreadError]] = InputValueError


class _Sequences(_Columns):
    """Sequences by their names in the arguments, such as hypotheses['a']."""

    advice_on_ids: ClassVar[str] = ""

    def location(self, row: int) -> str:
        """Place of an id."""
        return self.cell(row, _IDS)

    def cell(self, row: int, column: str) -> str:
        """Place of a value."""
        return f"{column}[{row}]"


def _require_named(columns: Mapping[str, T], argument: str) -> Mapping[str, T]:
    """The mapping, if it is one of names."""
    if not isinstance(columns, Mapping):
        raise InputTypeError(
            f"{argument} is of type {type(columns).__name__}, expected a mapping such as {{'a': ...}}."
        )
    for name in columns:
        if not isinstance(name, str):
            raise InputTypeError(f"{argument} has the name {name!r} ({type(name).__name__}), expected text.")
        if not name.strip() or as_unicode(name) != name:
            raise InputValueError(f"{argument} has the name {name!a}; give it one that tables can show.")
    return columns


def _list_names(names: Sequence[str], argument: str) -> list[str]:
    """Names of columns, each once."""
    if isinstance(names, str | Mapping) or not isinstance(names, Iterable):
        raise InputTypeError(f"{argument} is {names!r}, expected a list of columns.")
    listed = list(names)
    twice = next((name for name in listed if listed.count(name) > 1), None)
    if twice is not None:
        raise InputValueError(f"{argument} names {twice!r} twice; once is enough.")
    return listed


def _take_columns(frame: pd.DataFrame, names: Sequence[str]) -> dict[str, list[Any]]:
    """These columns of a frame, None where it has no value."""
    with needed_for("DataFrames need", "pandas", "frames"):
        import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise InputTypeError(f"frame is of type {type(frame).__name__}, expected a pandas DataFrame.")
    if frame.columns.nlevels > 1:
        raise InputValueError(
            f"frame has columns of {frame.columns.nlevels} levels ({frame.columns[0]!r}, ...), expected one name each; "
            "join them: frame.columns = frame.columns.map('_'.join)."
        )
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputValueError(f"frame: column {twice[0]!r} occurs twice; rename one of them.")
    if not len(frame):
        raise InputValueError("frame has no row, expected one per segment.")
    for name in names:
        if not isinstance(name, str) or name not in frame.columns:
            raise UnknownNameError("column", name, map(str, frame.columns), where="frame")
    return {name: _take_column(frame[name], name) for name in names}


def _take_column(values: Any, column: str) -> list[Any]:
    """Values of a sequence, None where it has none."""
    is_sequence = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | AbstractSet)
    if not is_sequence or hasattr(values, "columns"):
        raise InputTypeError(
            f"{column} is of type {type(values).__name__}, expected a sequence with one entry per segment (list, "
            "Series, array)."
        )
    if is_arrow(values):
        values = values.to_pylist()
    elif _is_of_pandas(values):
        values = values.astype(object)
    return [value if isinstance(value, str) or not _is_missing(value) else None for value in values]


def _is_missing(value: object) -> bool:
    """Whether a value is None, NaN, or one that pandas takes for missing."""
    if value is None:
        return True
    if isinstance(value, Real):
        return value != value
    if not _is_of_pandas(value):
        return False
    import pandas as pd

    return pd.isna(value) is True


def _is_of_pandas(value: object) -> bool:
    """Whether pandas made it, and so is loaded."""
    return type(value).__module__.partition(".")[0] == "pandas"


def _name_of_series(values: object) -> str:
    name = getattr(values, "name", None)
    return name if isinstance(name, str) else ""


def _require_equal_indexes(columns: Mapping[str, object]) -> None:
    """Refuse Series whose rows are named differently: entries are paired by position."""
    indexes = {
        name: values.index for name, values in columns.items() if _is_of_pandas(values) and hasattr(values, "index")
    }
    for name, index in indexes.items():
        first = next(iter(indexes))
        if not index.equals(indexes[first]):
            raise InputValueError(
                f"{name} is a Series with another index than {first}, but entries are paired by position: give both in "
                "one order with one index, or as lists (.to_list())."
            )
