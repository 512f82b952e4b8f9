import re

import pytest
from tools.calibrate.__main__ import PAGE, render
from tools.calibrate.outcomes import Coverage
from tools.calibrate.populations import Population
from tools.calibrate.running import Finding, Line, figures_of
from tools.calibrate.studies import BY_ID, CLUSTERS, LEVEL, LOOKS, RATE_CLUSTERS, STUDIES

from misread.version import __version__

COMMITTED = PAGE.read_text(encoding="utf-8")
LINE = Line("any test", Population(2), bool, LEVEL)
HELD = Finding(LINE, 0.05, 4000, (0.039, 0.062), True, {"share": 0.05})
BROKEN = Finding(LINE, 0.07, 4000, (0.039, 0.062), False, {"share": 0.07})


def page(findings=(HELD,)):
    return render(COMMITTED, {BY_ID["S1"]: findings})


def test_a_row_has_its_share_and_its_band_in_bold_where_the_claim_does_not_hold():
    assert "| any test | 0.0500 | 0.0390–0.0620 |" in page()
    assert "| any test | 0.0700 | **0.0390–0.0620** |" in page([BROKEN])


def test_a_row_of_intervals_has_their_coverage_and_misses():
    intervals = [Coverage(below=True, above=False, width=0.1), *[Coverage(below=False, above=False, width=0.125)] * 4]
    found = Finding(LINE, 0.8, 5, (0.5, 0.95), True, figures_of(0.8, intervals, samples=5))
    assert "| any test | 0.8000 | 0.2000/0.0000 | 0.5000–0.9500 |" in page([found])


def test_a_row_of_widths_compares_them_with_plain_ones_and_has_the_coverage_with_and_without_a_warning():
    quiet = Coverage(below=False, above=False, width=0.3, plain=0.2)
    warned = Coverage(below=False, above=True, width=0.6, plain=0.2, is_warned=True)
    found = Finding(LINE, 0.75, 4, (0.5, 1.0), True, figures_of(0.75, [quiet, quiet, quiet, warned], samples=5))
    shown = page([found])
    assert "| none | median / 90 % | warned | covers if / if not |" in shown
    assert "| 0.20 | 1.50/2.55 | 0.25 | 0.000/1.000 |" in shown


def test_the_page_names_version_and_seed():
    assert f"Version {__version__}, seed 1." in page()


@pytest.mark.slow
@pytest.mark.usefixtures("smaller")
def test_the_committed_page_has_a_section_and_a_row_for_every_claim():
    for study in STUDIES:
        section = COMMITTED.split(f"\n## {study.id} ")[1].split("\n## ")[0]
        assert f" {study.replications:,} samples.\n" in section
        names = [line.split(" | ")[0].removeprefix("| ") for line in section.splitlines() if line.startswith("| ")]
        assert names[1:] == [line.name for line in study.lines]
    assert "**" not in COMMITTED


def test_what_is_not_run_stays_as_it_was():
    assert render(COMMITTED, {}, None) == COMMITTED
    assert page().split("## S2 ")[1] == COMMITTED.split("## S2 ")[1]


def test_the_guide_quotes_the_page(repository):
    guide = (repository / "docs/explanation/statistics.md").read_text(encoding="utf-8")
    of_study = COMMITTED.split("## S2 ")[1].split("\n## ")[0]
    shares = dict(re.findall(r"^\| (.+?) \| (0\.\d+) \|", of_study, re.MULTILINE))
    quoted = dict(re.findall(r"^\| ([^|]+?) \| ([\d.]+) % \|$", guide, re.MULTILINE))
    assert quoted == {name: f"{100 * float(share):.1f}" for name, share in shares.items()}


def test_the_guide_quotes_the_coverage_of_differences(repository):
    guide = (repository / "docs/explanation/statistics.md").read_text(encoding="utf-8")
    of_study = COMMITTED.split("## S9 ")[1].split("\n## ")[0]
    quoted = re.findall(r"^\| (\d+) \| ([\d.]+) % \| ([\d.]+) % \|$", guide, re.MULTILINE)
    assert [int(clusters) for clusters, *_ in quoted] == list(CLUSTERS)
    for clusters, *shares in quoted:
        for method, share in zip(("jackknife", "percentile"), shares, strict=True):
            line = f"| strong, unequal, {clusters} clusters, {method} | "
            published = of_study.split(line)[1].split(" ")[0]
            assert share == f"{100 * float(published):.1f}"


def cells_of(page, section):
    """Cells of a study's rows by the name of the line."""
    of_study = page.split(f"## {section} ")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in of_study.splitlines() if line.startswith("| ")]
    return {row[0]: row[1:] for row in rows}


def test_the_guide_quotes_coverage_and_width_of_rates_and_what_warnings_say_of_them(repository):
    guide = (repository / "docs/explanation/statistics.md").read_text(encoding="utf-8")
    published = cells_of(COMMITTED, "S9b")
    corpora = ["strong, unequal", "large ones harder", "runaways, unequal"]
    for clusters in RATE_CLUSTERS:
        rows = [published[f"{corpus}, {clusters} clusters"] for corpus in corpora]
        quoted = [f"{100 * float(row[0]):.1f} % | {row[3].split('/')[0]}" for row in rows]
        assert f"| {clusters} | {' | '.join(quoted)} |" in guide
    for corpus in ["alike", *corpora]:
        *_, warned, both, _ = published[f"{corpus}, 20 clusters"]
        if_warned, if_not = both.split("/")
        shares = f"{100 * float(warned):.0f} % | {100 * float(if_warned):.1f} % | {100 * float(if_not):.1f} % |"
        assert f"| {shares}" in guide


def test_the_guide_quotes_coverage_and_width_of_sequential_intervals(repository):
    guide = (repository / "docs/explanation/statistics.md").read_text(encoding="utf-8")
    published = cells_of(COMMITTED, "S20")
    for clusters in LOOKS[1:]:
        rows = [published[f"{corpus}, {clusters} clusters"] for corpus in ("alike", "large ones harder")]
        quoted = [f"{100 * float(row[0]):.1f} % | {row[1]}" for row in rows]
        assert f"| {clusters} | {' | '.join(quoted)} |" in guide
    naive = 1 - float(published["alike, 500 clusters, interval for a fixed number"][0])
    assert f"errs in\n{100 * naive:.0f} % of the corpora of 500 clusters" in guide
