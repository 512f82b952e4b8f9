"""The compare stage: settings, paired tests, verdicts and rankings."""
