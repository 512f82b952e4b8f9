"""Results made by hand, as for the tables of the report."""

from tests.made_results import make_paper, make_result, three  # noqa: F401  fixtures
