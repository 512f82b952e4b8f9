"""Units that systems read, lines or pages, for measures of speed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

_LINE: Final = "line_image"
_PAGE: Final = "page_image"


@dataclass(frozen=True)
class SourceUnits:
    """Lines and pages in the segments of a data set.

    Attributes
    ----------
    are_lines, are_pages : bool
        What every segment is; neither for audio, and where it is not known.
    lines : mapping of str to int
        Lines of text by segment, of pages whose references have line breaks; empty for others.
    """

    are_lines: bool = False
    are_pages: bool = False
    lines: Mapping[str, int] = field(default_factory=dict)

    def count_lines(self, segment_ids: Sequence[str]) -> int | None:
        """Lines in these segments, each as often as it is named; None where that is not known."""
        if self.are_lines:
            return len(segment_ids)
        return sum(map(self.lines.__getitem__, segment_ids)) if self.lines else None


def find_source_units(offers: Collection[str], segment_ids: Sequence[str], references: Sequence[str]) -> SourceUnits:
    """Tell lines from pages by the kinds of source that a data set offers, and count the lines of the references.

    Lines without a character other than white space are none. A data set that offers both kinds is neither.
    """
    are_lines, are_pages = ((kind in offers) and len({_LINE, _PAGE} & {*offers}) == 1 for kind in (_LINE, _PAGE))
    lines = {}
    if are_pages:
        lines = {
            segment_id: sum(bool(line.strip()) for line in reference.splitlines())
            for segment_id, reference in zip(segment_ids, references, strict=True)
        }
    return SourceUnits(are_lines, are_pages, lines if any(number > 1 for number in lines.values()) else {})
