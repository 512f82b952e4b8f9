"""Rates of recordings with several speakers."""
