"""Broken and hostile input for everything that reads what others wrote; only documented errors may come of it."""
