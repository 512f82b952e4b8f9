"""Speed of misread compared with other tools: `python -m benchmarks`, or `make bench`."""
