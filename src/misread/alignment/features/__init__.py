"""Numbers of a pair of texts that need no alignment."""
