"""References that may themselves be wrong."""
