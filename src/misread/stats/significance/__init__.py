"""Paired tests, one per module, and corrections for multiple comparisons."""
