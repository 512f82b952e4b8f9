"""Texts before any metric: white space, alternatives, Arrow buffers, and the display of texts and names."""
