"""Layout of the report's tables."""
