"""Numba only: integer arrays in, integer arrays out.

Everywhere in these modules `reference_codes` and `hypothesis_codes` are the units of all texts of one side, both sides
of one unsigned type, and `reference_spans` and `hypothesis_spans`, int64 of shape (pairs, 2), say where in them the
text of each pair begins and ends.
"""
