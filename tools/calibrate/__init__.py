"""Calibration of the statistics on simulated corpora: `make calibrate`."""
