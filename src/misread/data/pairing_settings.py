"""Whether it is checked that outputs are paired with their own references."""

from dataclasses import dataclass, replace
from typing import Literal

from misread.data.segment_table import SegmentTable
from misread.errors import setting
from misread.io.checks.choices import check_choice

PairingRule = Literal["checked", "strict", "as-given"]
"""Policy for a doubtful pairing: it is refused if there is one other explanation of all segments and else warned
of, is refused in any case, or is not checked."""


@dataclass(frozen=True)
class PairingSettings:
    """Whether outputs that fit other references are refused; a setting of the data set.

    Parameters
    ----------
    pairing : {"checked", "strict", "as-given"}
        "checked" refuses outputs that another pairing explains, nearly all of them, and warns of other doubts;
        "strict" refuses these, too. "as-given" does not look; the signature says so.
    """

    pairing: PairingRule = "checked"

    def __post_init__(self) -> None:
        check_choice("rule", self.pairing, PairingRule, where=setting("pairing"))

    def apply_to(self, table: SegmentTable) -> SegmentTable:
        """The table with the rule among the facts of its texts; the usual rule leaves them as they are."""
        if self.pairing == "checked":
            return table
        return replace(table, facts=replace(table.facts, pairing=self.pairing))
