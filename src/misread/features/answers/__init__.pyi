"""Every name of misread.features.answers, once, with its home."""

from .downstream import DownstreamResult as DownstreamResult
from .field_rules import FieldRule as FieldRule
from .fields import FieldMatch as FieldMatch
from .html_tables import TableSimilarity as TableSimilarity
from .json_validity import validate_json_output as validate_json_output
