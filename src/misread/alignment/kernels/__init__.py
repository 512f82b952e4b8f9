"""Numba only: integer arrays in, integer arrays out.

In all these modules `reference_codes` and `hypothesis_codes` are the units of all texts of one side, both of the same
unsigned type, and `reference_spans` and `hypothesis_spans`, int64 of shape (pairs, 2), are the start and end of the
text of each pair in them.
"""
