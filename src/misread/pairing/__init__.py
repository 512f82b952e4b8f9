"""Outputs that are paired with the wrong references."""
