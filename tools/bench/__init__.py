"""Speed of misread compared with other tools: `python -m tools.bench`, or `make bench`."""
