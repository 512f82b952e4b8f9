"""Numbers for manuscripts."""
