"""The pipeline: its configuration, its stages and the paths of its files."""
