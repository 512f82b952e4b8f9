"""Numbers in manuscripts: macros, and a check of numbers in the text."""
