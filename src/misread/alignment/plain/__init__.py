"""What the kernels compute, in NumPy and plain Python: for so little work that machine code is not worth loading.

Arrays are those of `alignment.kernels`, and the results are equal.
"""
