"""Evaluations: all systems on one data set, from texts in memory or from the files of the pipeline."""

from misread.evaluation.evaluation import Evaluation
from misread.evaluation.pairs import PairDifference
from misread.evaluation.stored import read_results
from misread.evaluation.texts import evaluate, evaluate_table, score_captures

__all__ = ["Evaluation", "PairDifference", "evaluate", "evaluate_table", "read_results", "score_captures"]
