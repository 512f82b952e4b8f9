"""A cheap part of the fault check of `make calibrate`: that faults can be put in, are noticed, and leave no trace."""

import numba
import pytest
from tools.calibrate.mutants import MUTANTS
from tools.calibrate.running import run

# Those whose lines are cheap and that a part of the samples tells apart.
CHEAP = {
    "standard deviation with n (ddof 0)": 0.5,
    "ties with the observed sample not counted (> for >=)": 0.5,
    "the wrong tail (< for >=)": 0.2,
    "systems drawn apart (unpaired resampling)": 0.5,
    "mean of ratios instead of ratio of sums": 0.2,
    "rows drawn inside their clusters": 0.1,
    "the normal distribution in place of Student's": 0.5,
}
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    """Arrays are small: a second thread would wait more than it works."""
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 1)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_every_fault_can_be_put_in_and_taken_out(mutant):
    with mutant.applied():
        assert run(mutant.study, scale=0.001, only=mutant.lines)
    before = run(mutant.study, scale=0.002, only=mutant.lines)
    with mutant.applied():
        pass
    assert run(mutant.study, scale=0.002, only=mutant.lines) == before


@pytest.mark.slow
@pytest.mark.parametrize("name", CHEAP)
def test_a_fault_is_noticed_where_the_right_code_is_not(name):
    mutant, scale = BY_NAME[name], CHEAP[name]
    assert all(finding.holds for finding in run(mutant.study, scale=scale * mutant.share, only=mutant.lines))
    assert not all(finding.holds for finding in mutant.find(scale=scale))
