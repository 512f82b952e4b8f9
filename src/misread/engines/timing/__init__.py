"""Latency, throughput and memory of engines."""
