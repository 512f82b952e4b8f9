"""Whether the statistics keep their promises: `make calibrate`."""
