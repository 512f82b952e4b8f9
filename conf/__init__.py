"""Hydra takes `pkg://misread.conf` for a folder of configurations by this file; the wheel has one of its own."""
