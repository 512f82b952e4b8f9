"""report: tables, figures, DVC metrics, plots and the page from the results of the other stages."""

from misread.io.console import run_stage
from misread.pipeline.stages.report import main

if __name__ == "__main__":
    run_stage(main)
