"""A study of one's own: what `misread init` writes into a folder, and how a later version brings it up to date."""
