"""The compare stage: which pairs, which test decides, verdicts."""
