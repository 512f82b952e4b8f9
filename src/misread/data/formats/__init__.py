"""File formats, one per module."""
