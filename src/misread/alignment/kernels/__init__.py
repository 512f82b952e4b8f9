"""Numba only: integer arrays in, integer arrays out."""
