"""Faults that are inflicted on a small study, and what became of its results."""
