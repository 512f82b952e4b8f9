"""regimes: rates, ranks and verdicts of all systems on one data set under every regime."""

from misread.pipeline.console import run_stage
from misread.pipeline.stages.regimes import main

if __name__ == "__main__":
    run_stage(main)
