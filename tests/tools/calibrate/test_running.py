import numpy as np
import pytest
from tools.calibrate.populations import Population
from tools.calibrate.running import Claim, run
from tools.calibrate.studies import ABOUT_COVERAGE, AT_MOST_LEVEL, BY_ID, COVERAGE, LEVEL, STUDIES


def test_bands_are_the_published_ones():
    for replications, band in [(4000, (0.039, 0.062)), (2000, (0.0345, 0.0665))]:
        assert LEVEL.band(replications) == pytest.approx(band, abs=6e-4)
        assert AT_MOST_LEVEL.band(replications) == pytest.approx((0, band[1]), abs=6e-4)
    assert COVERAGE.band(2000) == pytest.approx((0.9335, 0.9655), abs=6e-4)
    assert ABOUT_COVERAGE.band(2000) == pytest.approx((0.922, 1), abs=6e-4)


@pytest.mark.parametrize(
    ("claim", "share", "held"),
    [
        (LEVEL, 0.05, True),
        (LEVEL, 0.03, False),
        (LEVEL, 0.07, False),
        (AT_MOST_LEVEL, 0.0, True),
        (AT_MOST_LEVEL, 0.07, False),
        (ABOUT_COVERAGE, 1.0, True),
        (ABOUT_COVERAGE, 0.92, False),
        (Claim(high=0.10), 0.101, False),
        (Claim(0.15), 0.149, False),
    ],
)
def test_a_claim_holds_inside_its_band(claim, share, held):
    assert claim.holds(share, 2000) is held


@pytest.mark.parametrize(
    "population",
    [
        Population(4000),
        Population(4000, short_is_hard=1.5),
        Population(4000, effect=0.5),
        Population(4000, hardness=0.3, unequal=True),
        Population(20_000, hardness=0.6, unequal=True, large_is_hard=0.5),
        Population(100_000, runaways=0.02),
    ],
)
def test_the_true_rate_is_that_of_a_sample_without_end(population):
    sample = population.draw(np.random.default_rng(1))
    for system in (0, 1):
        errors, length, *_ = sample.counts(system).sum(axis=0)
        assert errors / length == pytest.approx(population.rate(system), rel=0.05)


def test_alignments_have_the_errors_and_words_of_their_segments():
    sample = Population(clusters=3, segments=4).draw(np.random.default_rng(1)).aligned
    for system, letters in enumerate(sample.shared.operations.values()):
        errors, lengths, *_ = sample.counts(system).T
        assert [alignment.count("S") for alignment in letters["wer"]] == errors.tolist()
        assert [len(alignment) for alignment in letters["wer"]] == lengths.tolist()


@pytest.mark.parametrize(("population", "clusters"), [(Population(30), None), (Population(30, segments=2), 30)])
def test_segments_that_are_their_own_clusters_have_none(population, clusters):
    assert population.draw(np.random.default_rng(1)).shared.clusters == clusters


@pytest.mark.slow
def test_a_line_has_the_same_share_in_any_company():
    alone = run(BY_ID["S5"], scale=0.01, only=["Holm"])
    together = run(BY_ID["S5"], scale=0.01)
    assert alone[0] in together


@pytest.mark.slow
@pytest.mark.usefixtures("smaller")
def test_all_studies_run():
    for study in STUDIES:
        assert len(run(study, scale=0.001)) == len(study.lines)
