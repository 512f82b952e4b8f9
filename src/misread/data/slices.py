"""Parts of data sets: segments with given values, shuffled, up to a number."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from misread.data.base import digest_text
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice


@dataclass(frozen=True)
class Slice:
    """Segments of a data set that are read; its settings are among those of the data set.

    Parameters
    ----------
    where : mapping of str to list of str
        Values by column; a segment needs one of them in each. Columns are `groups` of the data set, the name of its
        clusters, and segment_id.
    shuffle_seed : int, optional
        Puts the segments that are left into an order that only this seed and their ids decide.
    limit : int, optional
        The most segments, the first ones in that order.

    Raises
    ------
    ConfigurationError
        If the limit is below 1, or a column has no value.
    """

    where: Mapping[str, str | list[str]] = field(default_factory=dict)
    shuffle_seed: int | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise ConfigurationError(f"limit is {self.limit}, expected 1 or more, or null.")
        for column, values in self._wanted.items():
            if not values:
                raise ConfigurationError(f"where.{column} is empty; name at least one value, or leave the column out.")

    def take_from(self, table: SegmentTable, *, where: str) -> SegmentTable:
        """Take the part of a table, with a note on it and a digest of its own; `where` is the place for messages.

        Raises UnknownNameError for a column or a value that the table does not have, and ConfigurationError if no
        segment is left.
        """
        if self == Slice():
            return table
        columns = self._columns(table, where)
        wanted = self._wanted.items()
        rows = [row for row in range(len(table)) if all(columns[name][row] in values for name, values in wanted)]
        if not rows:
            raise ConfigurationError(f"{where}: none of {len(table):,} segments meets all conditions of `where`.")
        if self.shuffle_seed is not None:
            rows.sort(key=lambda row: self._rank(table.segment_id[row]))
        rows = rows[: self.limit]
        part = self.describe()
        note = f"{table.name} has {len(rows):,} of {len(table):,} segments ({part})."
        facts = replace(table.facts, part=part).with_notes(note)
        return replace(table.take(rows), digest=digest_text(f"{table.digest}\x1f{part}"), facts=facts)

    def describe(self) -> str:
        """The settings in one line, which is part of every signature."""
        parts = [f"{column} {' or '.join(sorted(values))}" for column, values in sorted(self._wanted.items())]
        parts += [f"shuffled by seed {self.shuffle_seed}"] if self.shuffle_seed is not None else []
        parts += [f"at most {self.limit}"] if self.limit is not None else []
        return ", ".join(parts)

    @property
    def _wanted(self) -> dict[str, list[str]]:
        return {column: [values] if isinstance(values, str) else list(values) for column, values in self.where.items()}

    def _columns(self, table: SegmentTable, where: str) -> dict[str, Sequence[str]]:
        """Columns by name; refuses settings that name a column or value that is not there."""
        clusters = {} if table.cluster is None else {table.cluster_name or "cluster": table.cluster}
        known = {"segment_id": table.segment_id, **clusters, **table.groups}
        for column, values in self._wanted.items():
            check_choice("column", column, known, where=f"{where}.where (list other columns in `groups`)")
            for value in values:
                check_choice("value", value, sorted(set(known[column])), where=f"{where}.where.{column}")
        return known

    def _rank(self, segment_id: str) -> bytes:
        """Sort key of the shuffled order: the same on every machine, whatever other segments there are."""
        return hashlib.sha256(f"{self.shuffle_seed}\x1f{segment_id}".encode("utf-8", "surrogatepass")).digest()


def note_alike_ids(table: SegmentTable) -> SegmentTable:
    """Note segment ids that differ only by case: they are two segments, and somebody may have meant one."""
    if len({*map(str.casefold, table.segment_id)}) == len(table):
        return table
    first: dict[str, str] = {}
    alike = [segment for segment in table.segment_id if first.setdefault(segment.casefold(), segment) != segment]
    if not alike:
        return table
    more = f" (and {len(alike) - 1:,} more)" if len(alike) > 1 else ""
    note = (
        f"segment ids {first[alike[0].casefold()]!r} and {alike[0]!r} of {table.name}{more} differ only by case; they "
        "are taken for two segments."
    )
    return replace(table, facts=table.facts.with_notes(note))
