"""What only developers run: measurements, calibration, faults on purpose, broken inputs."""
