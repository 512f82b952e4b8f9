"""Every name of misread.revisions, once, with its home."""

from .diff import compare_revisions as compare_revisions
from .difference import RevisionDifference as RevisionDifference
from .gate import Gate as Gate
from .gate import run_gate as run_gate
from .matching import Choice as Choice
from .replay import replay_table as replay_table
from .rescored import RescoredResults as RescoredResults
from .rescored import RevisionResults as RevisionResults
from .rescored import StoredResults as StoredResults
from .rescored import read_stored as read_stored
from .store import Revision as Revision
from .store import open_revision as open_revision
