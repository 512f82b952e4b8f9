import numpy as np
import pytest
from tools.recitation import SETS, area, control, measure, misprint, plant, respell


@pytest.fixture(scope="module")
def directories(shared_data):
    return SETS["das22"](shared_data)


def test_the_area_counts_ties_half():
    assert area(np.array([1.0, 2.0]), np.array([0.0, 1.0])) == (1 + 0.5 + 1 + 1) / 4


@pytest.mark.slow
def test_as_many_words_are_disputed_and_taken_as_were_planted(directories):
    honest, recited = plant(directories, 0, 100, 20, misprint, np.random.default_rng(1))
    assert honest.describe(0).disputed == recited.describe(0).disputed == pytest.approx(100, abs=4)
    assert recited.describe(0).agreements - honest.describe(0).agreements == 20


@pytest.mark.slow
@pytest.mark.parametrize("repair", [misprint, respell])
def test_recitation_is_found_from_a_fifth_of_200_disputed_words_on(directories, repair):
    assert min(measure(directories, repair, 0.2, 200, 6).areas) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("copied", "corrected", "by_kind"),
    # Without copies there are none by kind.
    [(0, 0.5, False), (0, 0.75, False), (0.6, 0, False), (0.6, 0, True), (0.6, 0.75, False), (0.6, 0.75, True)],
)
def test_better_systems_and_families_alarm_nobody(directories, copied, corrected, by_kind):
    assert control(directories, copied, corrected, 2, by_kind=by_kind) == 0
