"""plugin: digest of a plug-in, so that the other stages run again when it changes."""

from misread.io.console import run_stage
from misread.pipeline.stages.plugin import main

if __name__ == "__main__":
    run_stage(main)
