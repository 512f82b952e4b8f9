"""The conformance suite: what its cases expect, who holds them, and which scorers differ where."""
