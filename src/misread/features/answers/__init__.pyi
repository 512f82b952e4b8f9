"""Every name of misread.features.answers, once, with its home."""

from .downstream import DownstreamResult as DownstreamResult
from .downstream import DownstreamTask as DownstreamTask
from .field_counts import FieldCounts as FieldCounts
from .field_counts import count_fields as count_fields
from .field_counts import flatten_fields as flatten_fields
from .field_match import FieldMatch as FieldMatch
from .field_rules import FieldRule as FieldRule
from .fields import FieldScores as FieldScores
from .levenshtein_similarity import anls as anls
from .schema_files import with_schema as with_schema
from .structured import StructuredAnswers as StructuredAnswers
from .structured_validity import StructuredValidity as StructuredValidity
from .table_similarity import TableSimilarity as TableSimilarity
from .table_similarity import table_similarity as table_similarity
