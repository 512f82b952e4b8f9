"""The page of published rankings is made of the committed counts, and what its findings say holds."""

import re

import pytest
from tools.parts import read_part
from tools.rankings.counts import Key
from tools.rankings.page import FINDINGS, PAGE, TABLES, render_findings, render_tables, tabulate_all
from tools.rankings.sets import RANKINGS
from tools.rankings.verdicts import agrees

RUNS = [f"run{run}" for run in range(1, 6)]


@pytest.fixture(scope="module")
def tables():
    return tabulate_all()


def differs(table, first, second):
    return table.rates[first] < table.rates[second] and table.differ(first, second)


def test_both_parts_of_the_page_are_made_of_the_counts(tables):
    assert read_part(PAGE, TABLES) == render_tables(tables)
    assert read_part(PAGE, FINDINGS) == render_findings(tables)
    assert len(render_findings(tables)) == 5


def test_large_differences_survive_under_every_rate(tables):
    for name in ("das22", "rare_words"):
        for table in tables[name].values():
            assert agrees(table.order, RANKINGS[name].published)
            assert max(table.pvalues.values()) < 0.05
    assert len(tables["das22"]) + len(tables["rare_words"]) == 17


def test_the_best_service_by_sclite_is_the_worst_by_jiwer(tables):
    by_sclite, by_jiwer = (tables["earnings21"][Key(regime, "wer", "micro")] for regime in ("sclite", "jiwer"))
    for service in ("amazon", "google"):
        assert differs(by_sclite, "rev_espnet", service)
        assert differs(by_jiwer, service, "rev_espnet")


def test_the_step_from_amazon_to_google_is_a_tie_and_reversed_under_two_rates(tables):
    calls = tables["earnings21"]
    assert not calls[Key("sclite", "wer", "micro")].differ("amazon", "google")
    assert {key.regime for key, table in calls.items() if table.rates["google"] < table.rates["amazon"]} == {
        "whisper_english",
        "open_asr",
    }


def test_no_two_runs_differ_and_correction_helps_under_every_rate(tables):
    for table in tables["repeated_runs"].values():
        assert not any(table.differ(first, second) for first in RUNS for second in RUNS if first != second)
        assert all(differs(table, run, "ocr") for run in RUNS)
    cer, wer = (tables["repeated_runs"][Key("misread", rate, "micro")] for rate in ("cer", "wer"))
    assert (cer.order[0], wer.order[0]) == ("run3", "run2")


def test_a_rate_moves_further_between_regimes_than_between_services(tables):
    calls = tables["earnings21"]
    between_regimes = [table.rates["rev_espnet"] for key, table in calls.items() if key.rate == "wer"]
    by_sclite = calls[Key("sclite", "wer", "micro")].rates
    between_services = [by_sclite[service] for service in ("google", "amazon", "rev_espnet")]
    assert max(between_regimes) - min(between_regimes) > 2 * (max(between_services) - min(between_services))
    words = {key.regime: table.rates for key, table in tables["das22"].items() if key.rate == "wer"}
    assert words["dinglehopper"]["tesseract4"] < words["jiwer"]["pero"]
    assert all(rates["pero"] < rates["tesseract4"] for rates in words.values())


def test_rates_are_the_published_ones_where_the_same_texts_were_scored(tables):
    for name, within in (("earnings21", 0.2), ("repeated_runs", 0.005), ("rare_words", 0.00005)):
        rates = tables[name][Key(*RANKINGS[name].like)].rates
        published = {system: float(rate) for system, rate in RANKINGS[name].published.items()}
        assert rates == pytest.approx(published, abs=within)


def test_the_page_has_at_most_900_words_beside_its_tables():
    prose = re.sub(r"^\|.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(prose.split()) <= 900
