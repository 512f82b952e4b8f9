"""Single segments of the pipeline's results: which are worst, and everything about one of them."""

from misread.inspection.dossier import Dossier, compile_dossier
from misread.inspection.selection import SegmentTexts, Selection, gather_segments, select_worst
from misread.inspection.stored import UnknownSegmentError, find_segment, read_dataset_texts

__all__ = [
    "Dossier",
    "SegmentTexts",
    "Selection",
    "UnknownSegmentError",
    "compile_dossier",
    "find_segment",
    "gather_segments",
    "read_dataset_texts",
    "select_worst",
]
