"""compare: rates, intervals and paired tests of all systems on one data set."""

from misread.io.console import run_stage
from misread.pipeline.stages.compare import main

if __name__ == "__main__":
    run_stage(main)
