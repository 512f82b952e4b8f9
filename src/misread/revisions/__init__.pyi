"""Every name of misread.revisions, once, with its home."""

from .diff import compare_revisions as compare_revisions
from .difference import RevisionDifference as RevisionDifference
from .gate import Gate as Gate
from .gate import run_gate as run_gate
from .matching import Choice as Choice
from .replay import replay_table as replay_table
from .store import open_revision as open_revision
from .stored_results import StoredResults as StoredResults
from .stored_results import read_stored as read_stored
