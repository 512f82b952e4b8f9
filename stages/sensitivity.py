"""sensitivity: rates on one data set under every normalizer, and rates, ranks and verdicts under every regime."""

from misread.features.regimes.stage import main
from misread.io.console import run_stage

if __name__ == "__main__":
    run_stage(main)
