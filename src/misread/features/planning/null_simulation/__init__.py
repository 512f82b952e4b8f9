"""Type I errors of the tests on a user's own data."""
