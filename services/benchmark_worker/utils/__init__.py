"""Loading of data sets."""
