"""Every name of misread.inspection, once, with its home."""

from .dossier import Dossier as Dossier
from .dossier import compile_dossier as compile_dossier
from .dossier import describe_segment as describe_segment
from .selection import SegmentTexts as SegmentTexts
from .selection import Selection as Selection
from .selection import gather_segments as gather_segments
from .selection import select_worst as select_worst
from .stored import UnknownSegmentError as UnknownSegmentError
from .stored import find_segment as find_segment
from .stored import read_dataset_texts as read_dataset_texts
