"""Provenance of results: signatures of numbers, digests of definitions and of installed plug-ins."""
