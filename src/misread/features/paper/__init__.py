"""Macros of the results for manuscripts."""
