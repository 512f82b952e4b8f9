"""Sentences on a probe, from records made by hand."""

from dataclasses import replace

import pytest

from misread.features.conditions.probe import ChangedTexts, ConcurrencyResult, Effect, Probe
from misread.features.conditions.table import lay_out_probe, summarize
from misread.stats import ConfidenceInterval
from misread.tables import ReportSettings, render_markdown

SETTINGS = ReportSettings(["cer"], names={"vlm": "VLM", "old": "Old OCR"})


def between(low, high):
    return ConfidenceInterval(low=low, high=high, confidence=0.95, method="jackknife")


def texts(share, interval=None):
    return ChangedTexts(changed=round(200 * share), pairs=200, share=share, interval=interval)


def effect(difference, verdict):
    return Effect(difference=difference, interval=between(-0.01, 0.02), pvalue=0.2, verdict=verdict)


def result(concurrency, again, changed=None, difference=0.0, verdict="inconclusive", **more):
    return ConcurrencyResult(
        concurrency=concurrency,
        failed=0,
        again=again,
        changed=changed,
        rate=0.03,
        interval=None,
        effect=None if changed is None else effect(difference, verdict),
        against_baseline=None,
        **more,
    )


def probe(finding, *results, pvalue=0.5, **more):
    return Probe(
        dataset="lines",
        system="vlm",
        metric="cer",
        baseline="",
        requests=1200,
        segments=200,
        left_out=0,
        seed=1,
        alpha=0.05,
        pvalue=pvalue,
        finding=finding,
        concurrencies=results,
        server_versions=["1"],
        changed_segments=["a", "b", "c"],
        **more,
    )


def test_what_never_changes_has_a_bound():
    never = texts(0.0, between(0.0, 0.019))
    said = summarize(probe("stable", result(1, never), result(4, never, never), result(16, never, never)), SETTINGS)
    assert said == "VLM gave the same texts at concurrency 1, 4 and 16: at most 1.9 % of texts depend on it."


def test_noise_is_told_with_the_shares():
    said = summarize(probe("noisy", result(1, texts(0.05)), result(16, texts(0.04), texts(0.06))), SETTINGS)
    assert said == (
        "VLM is noisy at every concurrency: 5.0 % of texts change when asked again at 1 and 6.0 % at 16, no more than "
        "noise explains (p = 0.500)."
    )


def test_too_little_to_tell_is_called_so():
    said = summarize(probe("unclear", result(1, texts(0.0)), result(16, texts(0.01), texts(0.005))), SETTINGS)
    assert said == ("VLM changed 3 of 200 texts, too few to tell noise from an effect of concurrency (p = 0.500).")


def test_a_dependence_has_its_effect_on_the_rate():
    results = result(1, texts(0.0)), result(16, texts(0.0), texts(0.02, between(0.01, 0.05)), 0.002)
    said = summarize(probe("depends", *results, pvalue=0.0002), SETTINGS)
    assert said == (
        "VLM depends on concurrency: 0.0 % of texts change when asked again at 1 and 2.0 % [1.0, 5.0] at 16 "
        "(p < 0.001); CER changes by +0.20 points at 16, which is not significant."
    )


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (("better", "better"), "; the verdict against Old OCR stays."),
        (("better", "worse"), "; the verdict against Old OCR changes: better at 1 and worse at 16."),
    ],
)
def test_a_dependence_has_its_effect_on_the_verdict(verdicts, said):
    rows = (result(1, texts(0.0)), result(16, texts(0.0), texts(0.02), 0.002, "worse"))
    rows = [replace(row, against_baseline=effect(0.1, verdict)) for row, verdict in zip(rows, verdicts, strict=True)]
    sentence = summarize(replace(probe("depends", *rows), baseline="old"), SETTINGS)
    assert sentence.endswith(f"CER changes by +0.20 points at 16{said}")


def test_what_failed_and_another_server_are_told():
    rows = result(1, texts(0.0)), replace(result(16, texts(0.0), texts(0.0)), failed=2)
    table = lay_out_probe(replace(probe("stable", *rows), left_out=2, server_versions=["1", "2"]), SETTINGS)
    assert [cells[-1].text for cells in table.cells] == ["0", "2"]
    assert table.notes[1:] == [
        "2 of the segments drawn are left out, as a reading failed.",
        "The server changed during the probe: 1, 2.",
    ]
    assert "Old OCR" not in render_markdown(table)
