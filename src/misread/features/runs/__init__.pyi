"""Every name of misread.features.runs, once, with its home."""

from .table import lay_out_runs as lay_out_runs
