"""Resampling and intervals."""
