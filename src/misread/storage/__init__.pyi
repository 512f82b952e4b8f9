"""Every name of misread.storage, once, with its home."""

from .counts import CommittedCounts as CommittedCounts
from .counts import parse_counts as parse_counts
from .counts import read_counts as read_counts
from .counts import write_counts as write_counts
from .explanation_files import alignment_columns as alignment_columns
from .explanation_files import alignment_note as alignment_note
from .explanation_files import read_alignments as read_alignments
from .explanation_files import read_confusions as read_confusions
from .parquet_writer import table_writer as table_writer
from .part_files import making_parts as making_parts
from .segment_tables import read_segments as read_segments
from .segment_tables import write_segments as write_segments
from .stage_tables import normalized_columns as normalized_columns
from .stage_tables import normalized_note as normalized_note
from .stage_tables import normalized_row_groups as normalized_row_groups
from .stage_tables import read_capture as read_capture
from .stage_tables import read_capture_parts as read_capture_parts
from .stage_tables import read_normalized as read_normalized
from .stage_tables import read_scores as read_scores
from .stage_tables import read_timings as read_timings
from .stage_tables import score_columns as score_columns
from .stage_tables import score_note as score_note
from .stage_tables import write_capture as write_capture
from .stage_tables import write_recorded as write_recorded
from .stage_tables import write_timings as write_timings
from .stored_texts import StoredTexts as StoredTexts
