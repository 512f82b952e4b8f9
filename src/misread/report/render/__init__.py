"""A table as LaTeX, Markdown, HTML and CSV."""
