"""Results at Git revisions: read through DVC, compared, followed over commits."""

from misread.revisions.diff import Choice, compare_revisions
from misread.revisions.difference import DatasetDifference, Mover, RevisionDifference, SystemDifference
from misread.revisions.git import Commit, find_commit, latest_commits
from misread.revisions.history import History, HistoryPoint, open_history, trace_history
from misread.revisions.replay import Replay, ReplayedFile, replay_table
from misread.revisions.results import RescoredResults, RevisionResults, StoredResults, choose_normalizer, read_stored
from misread.revisions.store import Revision, open_revision

__all__ = [
    "Choice",
    "Commit",
    "DatasetDifference",
    "History",
    "HistoryPoint",
    "Mover",
    "Replay",
    "ReplayedFile",
    "RescoredResults",
    "Revision",
    "RevisionDifference",
    "RevisionResults",
    "StoredResults",
    "SystemDifference",
    "choose_normalizer",
    "compare_revisions",
    "find_commit",
    "latest_commits",
    "open_history",
    "open_revision",
    "read_stored",
    "replay_table",
    "trace_history",
]
