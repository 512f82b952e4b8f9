"""Power, effective sample size and repeated looks."""
