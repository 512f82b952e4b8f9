"""no_plugin: the folder of the digests of plug-ins, for projects that have none."""

from misread.io.console import run_stage
from misread.pipeline.stages.no_plugin import main

if __name__ == "__main__":
    run_stage(main)
