"""Verdicts on two systems after every checked cluster, valid however often one looks."""
