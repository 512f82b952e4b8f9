"""What the report lays out as tables."""
