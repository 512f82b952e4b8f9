"""judge: decisions of one judge on what the systems read of one data set; old decisions are kept."""

from misread.features.judges.stage import main
from misread.io.console import run_stage

if __name__ == "__main__":
    run_stage(main)
