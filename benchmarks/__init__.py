"""How fast misread is beside its peers: `python -m benchmarks`, or `make bench`."""
