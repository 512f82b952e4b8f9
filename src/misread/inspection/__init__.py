"""Single segments of the pipeline's results: which are worst, and everything about one of them."""

from misread.inspection.dossier import Dossier as Dossier
from misread.inspection.dossier import compile_dossier as compile_dossier
from misread.inspection.dossier import describe_segment as describe_segment
from misread.inspection.selection import SegmentTexts as SegmentTexts
from misread.inspection.selection import Selection as Selection
from misread.inspection.selection import gather_segments as gather_segments
from misread.inspection.selection import select_worst as select_worst
from misread.inspection.stored import UnknownSegmentError as UnknownSegmentError
from misread.inspection.stored import find_segment as find_segment
from misread.inspection.stored import read_dataset_texts as read_dataset_texts
