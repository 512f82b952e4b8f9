"""Texts before any metric: white space, alternatives, Arrow buffers, and how texts and names are shown."""
