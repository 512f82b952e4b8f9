"""check: ends the run where params.yaml is not what conf/ composes to, and notes what the other stages run with."""

from misread.io.console import run_stage
from misread.pipeline.stages.check import main

if __name__ == "__main__":
    run_stage(main)
