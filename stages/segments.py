"""segments: what a data set offers, read and checked once for all systems."""

from misread.io.console import run_stage
from misread.pipeline.stages.segments import main

if __name__ == "__main__":
    run_stage(main)
