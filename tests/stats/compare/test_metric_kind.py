import pytest

from misread.metrics import METRICS
from misread.stats import kind_of


@pytest.mark.parametrize(
    ("metric", "kind"), [("cer", "error_rate"), ("mer", "error_rate"), ("ser", "share"), ("token_cost", "other")]
)
def test_error_rates_have_errors_and_a_length(metric, kind):
    assert kind_of(METRICS[metric]) == kind
