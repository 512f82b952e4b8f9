"""ablate: rates of all systems on one data set under every normalizer."""

from misread.features.regimes.ablate_stage import main
from misread.io.console import run_stage

if __name__ == "__main__":
    run_stage(main)
