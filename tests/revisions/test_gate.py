import json
import re

import pytest
from tests.conftest import STATISTICS

from .conftest import read_badly

GOOD = read_badly(10)
# Two wrong letters more, on two pages.
SLIGHTLY = [text.replace("Page", "Pgae") if row in (3, 17) else text for row, text in enumerate(GOOD)]


@pytest.fixture
def gate(misread, past, monkeypatch):
    """`misread gate` in the project of several commits."""

    def run(baseline, *arguments, metric="cer", margin="0.002"):
        monkeypatch.chdir(past.root)
        given = [
            part for name, value in (("--metrics", metric), ("--margin", margin)) if value for part in (name, value)
        ]
        return misread("gate", "--baseline", baseline, *given, *arguments)

    return run


@pytest.fixture
def judge(change):
    """Make other results in the working tree; give `misread gate` of them."""

    def run(*arguments, margin="0.002", **settings):
        given = () if margin is None else ("--margin", margin)
        return change("gate", "--baseline", "HEAD", "--metrics", "cer", *given, *arguments, **settings)

    return run


def test_what_did_not_change_passes_a_margin_of_nothing(gate):
    done = gate("first", "--revision", "same", margin="0")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("PASS  2 comparisons with first (")
    assert done.out.count("✓ unchanged") == 2


def test_a_loss_beyond_the_margin_fails(gate):
    done = gate("first", "--revision", "worse")
    assert done.status == 1
    assert done.out.startswith("FAIL  worse than first (")
    assert "by more than the margin: cer of a on lines." in done.out.splitlines()[0]
    assert "why  engine     a.engine   1.0 -> 2.0" in done.out
    assert "✗ fail" in done.out
    assert "a on lines, cer: It lost at least 2." in done.out


def test_a_gain_and_a_wide_margin_pass(gate):
    assert gate("worse", "--revision", "first").status == 0
    done = gate("first", "--revision", "worse", margin="0.5")
    assert done.status == 0
    assert "✓ pass" in done.out


def test_where_nobody_can_tell_it_says_what_it_would_take(judge):
    done = judge(read={"a": SLIGHTLY, "b": GOOD})
    assert done.status == 3
    assert done.out.startswith("CANNOT TELL  too little data to judge, against HEAD (")
    assert "a on lines, cer: The loss lies between -0." in done.out
    said = " ".join(done.out.split())
    assert "clusters (page) would settle it if the loss stays what it is." in said
    smallest, option = re.search(
        r"12 clusters \(page\) can show is ([\d.]+) points .* --margin cer=([\d.]+)\.", said
    ).groups()
    assert float(option) == pytest.approx(float(smallest) / 100, abs=1e-4)
    assert float(option) >= float(smallest) / 100
    assert max(map(len, done.out.splitlines()[4:-1])) <= 80
    # All that is new is there, at the usual width.
    assert "Left out" not in done.out


def test_few_clusters_cannot_tell_whatever_the_loss(judge, fresh, write_pages):
    write_pages(fresh.root, {"a": GOOD}, slice(45))
    fresh.track()
    fresh.commit("nine pages")
    done = judge(read={"a": read_badly(1)}, segments=45)
    assert done.status == 3
    assert "9 clusters (page) are too few to judge by: at least 10 are needed." in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("settings", "gone"),
    [({"read": {"a": GOOD}}, "system b"), ({"segments": 55}, "5 segments of lines")],
    ids=["system", "segments"],
)
def test_what_is_gone_cannot_pass(judge, settings, gone):
    done = judge(**settings)
    assert done.status == 2
    assert done.out.startswith("NOT COMPARABLE  gone since HEAD (")
    assert done.out.splitlines()[0].endswith(f"): {gone}.")


def test_a_failure_comes_before_what_is_gone_and_both_are_named(judge):
    done = judge(read={"a": read_badly(2)})
    assert done.status == 1
    assert done.out.splitlines()[0].endswith("cer of a on lines; gone: system b.")


def test_a_new_system_is_named_and_passes_unless_it_was_asked_for(judge):
    read = {"a": GOOD, "b": GOOD, "c": GOOD}
    done = judge(read=read)
    assert done.status == 0
    assert done.out.splitlines()[0].endswith("; new, without a baseline: system c.")
    done = judge("--systems", "a,c", read=read)
    assert (done.status, done.out) == (2, "")
    assert "system c: not in HEAD (" in done.err
    assert "so that there is no baseline" in done.err


def test_only_what_was_chosen_is_judged(judge):
    read = {"a": GOOD, "b": read_badly(2)}
    assert judge("--systems", "a", read=read).status == 0
    assert judge("--systems", "b", "--datasets", "lines", read=read).status == 1
    assert judge(read=read).status == 1


def test_every_metric_has_its_margin(gate):
    named = ("--margin", "cer=0.5", "--margin", "wer=0.01")
    done = gate("first", "--revision", "worse", *named, metric=None, margin=None)
    assert done.status == 1
    assert "by more than the margin: wer of a on lines." in done.out.splitlines()[0]
    assert "2 comparisons changed: all must pass (intersection-union, no correction)" in done.out
    common = gate("first", "--revision", "worse", "--margin", "wer=0.9", metric="cer,wer", margin="0.5")
    assert common.status == 0
    assert "50.000" in common.out
    assert "90.000" in common.out


def test_the_margin_of_the_configuration_is_the_default(judge):
    configured = {"statistics": {**STATISTICS, "margin": 0.5}}
    done = judge(margin=None, read={"a": read_badly(2), "b": GOOD}, params=configured)
    assert done.status == 0
    assert "50.000" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"margin": "2 %"}, "--margin is '2 %', expected a fraction such as 0.002"),
        ({"margin": "-0.1"}, "the margin of cer is -0.1, expected a difference of rates from 0 to below 1"),
        ({"margin": "1"}, "the margin of cer is 1, expected"),
        ({"margin": "nan"}, "the margin of cer is nan, expected"),
        ({"margin": None}, "cer has no margin; give the largest loss that is accepted, such as --margin cer=0.002"),
        ({"metric": None}, "--metrics is missing; choose among those of the configuration: cer, wer."),
        ({"metric": "cre"}, "unknown metric 'cre' in both revisions. Did you mean 'cer'? There are: cer, wer."),
        ({"margin": "wer=0.1"}, "--margin names 'wer', which is not among --metrics (cer)."),
        ({"more": ("--margin", "0.1")}, "--margin is given twice; name the metric of each"),
        ({"more": ("--systems", "d")}, "unknown system 'd' in both revisions. There are: a, b."),
        ({"more": ("--datasets", "line")}, "unknown data set 'line' in both revisions. Did you mean 'lines'?"),
        ({"more": ("--revision", "wrse")}, "unknown revision 'wrse'"),
        ({"more": ("--revision", "lower")}, "the normalizer of cer differs"),
    ],
)
def test_what_cannot_be_compared_ends_with_2_and_the_cause(gate, tmp_path, arguments, message):
    more = arguments.pop("more", ())
    done = gate("first", "--markdown", tmp_path / "gate.md", *more, **arguments)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert (tmp_path / "gate.md").read_text(encoding="utf-8").startswith("**NOT COMPARABLE** ")


def test_a_revision_without_results_ends_with_a_status_that_no_verdict_has(gate, tmp_path):
    done = gate("first", "--markdown", tmp_path / "gate.md", "--revision", "empty")
    assert (done.status, done.out, done.err.count("\n")) == (4, "", 1)
    assert "has no params.yaml: there are no results of misread in it" in done.err


def test_scores_older_than_the_configuration_beside_them_are_not_judged(fresh, misread, monkeypatch):
    params = fresh.root / "params.yaml"
    text = params.read_text().replace("cer: cer", "cer: cer(unit=grapheme)")
    params.write_text(text, encoding="utf-8")
    monkeypatch.chdir(fresh.root)
    done = misread("gate", "--baseline", "HEAD", "--metrics", "cer", "--margin", "0.1")
    assert done.status == 2
    assert "cer of a was scored before params.yaml was changed; run `dvc repro`." in done.err


def test_json_holds_every_number(gate):
    content = gate("first", "--revision", "worse", "--output", "json").json
    assert (content["outcome"], content["status"]) == ("fail", 1)
    checks = {check["system"]: check for check in content["checks"]}
    assert checks["b"]["judgement"]["outcome"] == "pass"
    assert not checks["b"]["is_changed"]
    assert checks["a"]["units"] == 12
    assert checks["a"]["unit"] == "page"
    assert checks["a"]["judgement"]["interval"]["low"] > checks["a"]["margin"] == 0.002
    assert json.dumps(content)


def test_the_comment_for_a_pull_request_is_a_table_with_reasons(gate, tmp_path):
    path = tmp_path / "gate.md"
    done = gate("first", "--revision", "worse", "--markdown", path)
    text = path.read_text(encoding="utf-8")
    assert done.out.startswith("FAIL")
    assert text.startswith("**FAIL** worse than first ")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 4
    assert {line.count("|") for line in table} == {9}
    assert "**✗ fail** |" in table[2]
    assert "- a on lines, cer: It lost at least 2." in text
    assert "<details><summary>What changed</summary>" in text
    assert text.endswith("`paired jackknife interval of the loss, 95 % confidence`\n")
