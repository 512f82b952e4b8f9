"""Parts plugged in by name, a folder each; no feature imports another, and core and rim import none."""
