"""How Numba compiles, caches and spreads work."""
