"""Metrics under the names of the OCR Benchmarking Metrics Specification."""
