"""Power and effective sample size."""
