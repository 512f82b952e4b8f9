"""judge: decisions of one judge on what the systems read of one data set; old decisions are kept."""

from misread.pipeline.console import run_stage
from misread.pipeline.stages.judge import main

if __name__ == "__main__":
    run_stage(main)
