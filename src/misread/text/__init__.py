"""What a text, a line and a word is, before any metric."""
