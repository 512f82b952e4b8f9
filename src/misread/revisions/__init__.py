"""Results at Git revisions: read through DVC, compared, followed over commits."""

from misread.revisions.diff import compare_revisions as compare_revisions
from misread.revisions.difference import DatasetDifference as DatasetDifference
from misread.revisions.difference import Mover as Mover
from misread.revisions.difference import RevisionDifference as RevisionDifference
from misread.revisions.difference import SystemDifference as SystemDifference
from misread.revisions.gate import Gate as Gate
from misread.revisions.gate import GateCheck as GateCheck
from misread.revisions.gate import run_gate as run_gate
from misread.revisions.git import Commit as Commit
from misread.revisions.git import find_commit as find_commit
from misread.revisions.git import latest_commits as latest_commits
from misread.revisions.history import History as History
from misread.revisions.history import HistoryPoint as HistoryPoint
from misread.revisions.history import open_history as open_history
from misread.revisions.history import trace_history as trace_history
from misread.revisions.matching import Choice as Choice
from misread.revisions.replay import Replay as Replay
from misread.revisions.replay import ReplayedFile as ReplayedFile
from misread.revisions.replay import replay_table as replay_table
from misread.revisions.results import RescoredResults as RescoredResults
from misread.revisions.results import RevisionResults as RevisionResults
from misread.revisions.results import StoredResults as StoredResults
from misread.revisions.results import choose_normalizer as choose_normalizer
from misread.revisions.results import read_stored as read_stored
from misread.revisions.store import Revision as Revision
from misread.revisions.store import open_revision as open_revision
