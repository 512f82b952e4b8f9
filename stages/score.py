"""score: counts of every metric for all systems of one data set, and the alignments and confusions behind them."""

from misread.io.console import run_stage
from misread.pipeline.stages.score import main

if __name__ == "__main__":
    run_stage(main)
