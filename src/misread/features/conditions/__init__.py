"""Probe of whether the answers of a system depend on how it is asked: `misread capture --probe`."""
