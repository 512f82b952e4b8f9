"""Texts as integers."""
