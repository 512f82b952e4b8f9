"""Small faults inserted into the package, one at a time; each has to break a test."""
