"""Compilation, caching and threading of Numba code."""
