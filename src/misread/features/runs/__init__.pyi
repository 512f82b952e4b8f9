"""Every name of misread.features.runs, once, with its home."""

from .variation import RunsResult as RunsResult
