"""Tables made from the Unicode Character Database, and the scripts that make them."""
