"""Corpora of sequential verdicts, and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm
from tools.calibrate.populations import Population
from tools.calibrate.running import Claim, Line, Study, run
from tools.calibrate.sequential import Clusters, Planned, covers_all, covers_always, errs, finds, stops_within

from misread.stats.design.power import units_to_detect, units_to_equate

ALIKE = Population(clusters=12, segments=15, deviation=0.1, hardness=0.3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "population",
    [
        replace(ALIKE, effect=0.3),
        replace(ALIKE, deviation=0.8, hardness=0.8, effect=0.3),
        replace(ALIKE, hardness=0.6, unequal=True, large_is_hard=0.5, effect=0.3),
    ],
)
def test_clusters_drawn_at_once_have_the_difference_of_those_drawn_by_segment(population):
    errors, lengths = Clusters(replace(population, clusters=1_000_000)).draw_many(np.random.default_rng(1), 1)
    assert errors.sum() / lengths.sum() == pytest.approx(population.difference, rel=0.02)


@pytest.mark.slow
def test_outputs_that_run_on_add_the_expected_errors():
    quiet, noisy = (
        Clusters(Population(clusters=200_000, segments=15, runaways=share)).draw_many(np.random.default_rng(1), 1)
        for share in (0.0, 0.02)
    )
    # They cancel in the mean of the difference, and not in its spread.
    assert noisy[0].std() > 5 * quiet[0].std()
    assert noisy[1].mean() == pytest.approx(quiet[1].mean(), rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("times", [0.0, 2.0])
def test_the_plan_of_the_margin_has_so_many_clusters(times):
    corpora = Planned(ALIKE, 80, times, longest=3)
    errors, lengths = corpora.draw_many(np.random.default_rng(1), 2000)
    assert errors.shape == (2000, 240)
    difference = errors.sum() / lengths.sum()
    assert difference == pytest.approx(times * corpora.margin, rel=0.03, abs=0.0005)
    deviation = (errors - difference * lengths).std() / lengths.mean()
    assert units_to_detect(corpora.margin, deviation, alpha=0.05) == pytest.approx(80, abs=3)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1.0, 2.0])
def test_the_difference_is_that_multiple_of_the_margin_where_rates_have_a_limit(times):
    strong = replace(ALIKE, deviation=0.8, hardness=0.8)
    corpora = Planned(strong, 80, times, longest=1)
    errors, lengths = corpora.draw_many(np.random.default_rng(1), 4000)
    assert errors.sum() / lengths.sum() == pytest.approx(times * corpora.margin, rel=0.02)


@pytest.mark.slow
def test_the_plan_for_equivalence_has_the_clusters_of_normal_differences():
    corpora = Planned(ALIKE, 80, 0.0, longest=2)
    deviation = corpora.margin * np.sqrt(80) / (norm.ppf(0.975) + norm.ppf(0.8))
    expected = units_to_equate(0.0, deviation, margin=corpora.margin, alpha=0.05)
    assert corpora.planned_to_equate == pytest.approx(expected, rel=0.06)


def test_a_difference_is_found_by_both_tests_of_a_fixed_number_or_by_none():
    population = replace(ALIKE, clusters=12)
    errors, lengths = Clusters(population).draw_many(np.random.default_rng(1), 20)
    batch = finds((errors + np.rint(0.2 * lengths), lengths))
    assert batch["share"].all()
    assert batch["by interval"].all()
    balanced = np.tile([3.0, -3.0], (20, 6))
    assert not finds((balanced, lengths))["share"].any()
    assert not finds((balanced, np.full_like(lengths, 100.0)))["by interval"].any()


def test_a_study_in_bulk_has_the_means_and_medians_of_its_samples():
    class Numbers:
        def draw_many(self, rng, samples):
            return rng.integers(0, 2, samples), np.arange(samples)

    def outcome(samples):
        return {"share": samples[0] == 1, "width": samples[1] / 2}

    study = Study("S0", 600, lambda: [Line("numbers", Numbers(), outcome, Claim(0.4, 0.6))], is_in_bulk=True)
    (finding,) = run(study)
    assert finding.holds
    assert finding.replications == 600
    # 250, 250 and 100 samples.
    assert finding.figures["width"] == np.median([*range(250), *range(250), *range(100)]) / 2


@pytest.mark.slow
def test_outcomes_have_a_value_for_every_corpus():
    population = replace(ALIKE, clusters=30, effect=0.3)
    corpora = Clusters(population).draw_many(np.random.default_rng(1), 20)
    for outcome in (
        covers_always(population),
        covers_all(population),
        errs(population),
        errs(population, total=30),
        stops_within(Planned(ALIKE, 30, 0.0, longest=2), 0.6),
        finds,
    ):
        batch = outcome(corpora)
        assert {values.shape for values in batch.values()} == {(20,)}
        assert batch["share"].dtype == np.bool_


def test_verdicts_on_the_wrong_side_and_at_the_margin_are_counted_as_wrong():
    population = replace(ALIKE, clusters=30, effect=0.3)
    errors, lengths = Clusters(population).draw_many(np.random.default_rng(1), 20)
    # Ends of the margin are far below the difference that is seen.
    batch = errs(population)((-10 * errors, lengths))
    assert batch["wrong side"].mean() > 0.5
    assert not batch["wrongly equivalent"].any()
    assert errs(population)((np.zeros_like(errors), lengths))["wrongly equivalent"].all()
