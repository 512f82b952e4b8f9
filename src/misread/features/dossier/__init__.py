"""Everything known about one segment."""
