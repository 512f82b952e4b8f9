import numpy as np
import pytest
from tools.calibrate.populations import Population
from tools.calibrate.running import Claim, binomial_band, run
from tools.calibrate.studies import BY_ID, STUDIES


def test_bands_are_the_published_ones():
    for share, replications, band in [(0.05, 4000, (0.039, 0.062)), (0.05, 2000, (0.0345, 0.0665))]:
        assert binomial_band(share, replications) == pytest.approx(band, abs=6e-4)
    assert binomial_band(0.95, 2000) == pytest.approx((0.9335, 0.9655), abs=6e-4)


@pytest.mark.parametrize(
    ("claim", "share", "before", "held"),
    [
        (Claim("is", 0.05), 0.05, None, True),
        (Claim("is", 0.05), 0.03, None, False),
        (Claim("is", 0.05), 0.07, None, False),
        (Claim("at_most", 0.05), 0.0, None, True),
        (Claim("at_most", 0.05), 0.07, None, False),
        (Claim("at_least", 0.94), 1.0, None, True),
        (Claim("at_least", 0.94), 0.92, None, False),
        (Claim("below", 0.10), 0.101, None, False),
        (Claim("above", 0.15), 0.149, None, False),
        (Claim("grows"), 0.3, 0.2, True),
        (Claim("grows"), 0.2, 0.2, False),
    ],
)
def test_a_claim_holds_inside_its_band(claim, share, before, held):
    assert claim.holds(share, 2000, before) is held


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


def test_a_line_has_the_same_share_in_any_company():
    alone = run(BY_ID["S5"], scale=0.01, only=["Holm"])
    together = run(BY_ID["S5"], scale=0.01)
    assert alone[0] in together


def test_all_studies_run():
    for study in STUDIES:
        assert len(run(study, scale=0.001)) == len(study.lines)
