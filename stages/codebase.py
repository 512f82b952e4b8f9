"""codebase: the code behind every other stage, as a list of files with digests, so that DVC sees a change of any."""

from misread.io.console import run_stage
from misread.pipeline.stages.codebase import main

if __name__ == "__main__":
    run_stage(main)
