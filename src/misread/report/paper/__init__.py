"""Numbers in manuscripts: macros and a linter."""
