"""ablate: rates of all systems on one data set under every normalizer."""

from misread.pipeline.console import run_stage
from misread.pipeline.stages.ablate import main

if __name__ == "__main__":
    run_stage(main)
