"""Results made by hand, as for the tables of the report."""

from tests.report.conftest import make_paper, make_result, three  # noqa: F401  fixtures
