"""Every name of misread.features.answers, once, with its home."""

from .downstream import DownstreamResult as DownstreamResult
from .downstream import DownstreamTask as DownstreamTask
from .field_rules import FieldRule as FieldRule
from .fields import FieldCounts as FieldCounts
from .fields import FieldMatch as FieldMatch
from .fields import FieldScores as FieldScores
from .fields import count_fields as count_fields
from .fields import flatten_fields as flatten_fields
from .html_tables import TableSimilarity as TableSimilarity
from .html_tables import table_similarity as table_similarity
from .json_validity import StructuredValidity as StructuredValidity
from .levenshtein_similarity import anls as anls
from .structured import StructuredAnswers as StructuredAnswers
