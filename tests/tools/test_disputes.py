import numpy as np
import pytest
from tools.disputes import BLOCK, Population, Readings, decide, directories, fill, measure, write

LINES = ["rue de la Paix, n. 12, à Paris", "veuve Étienne, horloger", "St-Jean & fils"] * 8
CLUSTERS = [f"p{number // 3}" for number in range(24)]


def made(**changes):
    """Systems that differ from the lines by one letter each."""
    systems = {name: [line.replace(*change) for line in LINES] for name, change in changes.items()}
    return Readings(LINES, systems, CLUSTERS)


def test_spans_that_are_filled_give_the_references_back_where_no_error_is_shared():
    readings = made(a=("Paix", "Palx"), b=(", ", ". "), c=("ge", "gge"))
    disputes = readings.dispute()
    truths = fill(disputes, LINES, disputes.drawn)
    assert write(disputes, truths, disputes.drawn) == LINES
    shares = measure(readings, 1)
    assert max(shares.apart.values()) == 0
    assert shares.same
    assert shares.typed == 0 < shares.checked < 0.5


def test_windows_have_the_rest_of_the_truth():
    readings = made(a=("Pai", "Pol"), b=("Pai", "Po"))
    disputes = readings.dispute(audit=10_000)
    truths = fill(disputes, LINES, disputes.drawn)
    assert write(disputes, truths, disputes.drawn) == LINES


def test_the_audited_rate_of_all_windows_is_near_that_of_the_references():
    readings = made(a=("r", "n"), b=("r", "m"))
    shared = Readings(
        LINES,
        {name: [text.replace("e", "c", 1) for text in texts] for name, texts in readings.systems.items()},
        CLUSTERS,
    )
    population = Population(shared, shared.dispute(), "a")
    errors, _ = population.full
    known, _ = population.sums
    added = sum(int(windows[:, 0].sum()) for windows in population.windows)
    assert known.sum() + added == errors.sum()
    _, width, full = population.draw(8, 10_000, 1)
    assert width == pytest.approx(full, rel=0.5)


def test_a_difference_is_decided_by_its_sign_where_it_is_significant():
    assert decide(np.full(12, 3), 1000) == 1
    assert decide(np.full(12, -3), 1000) == -1
    assert decide(np.array([3, -3] * 6), 1000) == 0


@pytest.mark.slow
def test_two_systems_are_compared_by_a_seventh_of_the_characters(shared_data):
    shares = measure(directories(shared_data).take(["pero", "tesseract4"]), 1)
    assert shares.checked < 0.15
    assert shares.same
    assert max(shares.apart.values()) < 0.0002


@pytest.mark.slow
def test_audited_rates_cover_as_those_of_the_full_truth_do(shared_data):
    readings = directories(shared_data, block=BLOCK).take(["pero", "tesseract4"])
    population = Population(readings, readings.dispute(), "pero")
    draws = [population.draw(20, 200, seed) for seed in range(200)]
    # Four standard deviations below .93.
    assert np.mean([covered for covered, _, _ in draws]) > 0.93 - 4 * (0.93 * 0.07 / 200) ** 0.5
    assert np.median([width / full for _, width, full in draws]) < 1.1
