"""Scripts that wrote the files of tests/zoo, each in an environment of its own: run by hand, never by CI."""
