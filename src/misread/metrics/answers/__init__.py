"""Metrics of structured answers, token costs and downstream tasks."""
