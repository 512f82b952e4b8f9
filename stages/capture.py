"""capture: outputs of one system on one data set."""

from misread.io.console import run_stage
from misread.pipeline.stages.capture import main

if __name__ == "__main__":
    run_stage(main)
