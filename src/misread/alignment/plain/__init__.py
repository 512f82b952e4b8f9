"""The computations of the kernels in NumPy and plain Python, for work too small to load machine code for.

Arrays are those of `alignment.kernels`, and the results are equal.
"""
