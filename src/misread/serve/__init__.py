"""Workers: an engine behind HTTP, for others to ask."""
