"""The configuration, the paths and the runs of the pipeline."""
