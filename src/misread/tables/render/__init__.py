"""Renderers of tables: LaTeX, Markdown, HTML and CSV."""
