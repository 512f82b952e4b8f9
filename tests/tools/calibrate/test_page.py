import re
from dataclasses import replace

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
    assert "| any test | .0500 | .0390–.0620 |" in page()
    assert "| any test | .0700 | **.0390–.0620** |" in page([BROKEN])


def test_a_row_of_intervals_has_their_coverage_and_misses():
    intervals = [Coverage(below=False, above=True, width=0.1), *[Coverage(below=False, above=False, width=0.125)] * 4]
    found = Finding(LINE, 0.8, 5, (0.5, 0.95), True, figures_of(0.8, intervals, samples=5))
    assert "| any test | .8000 | .2000 | .5000–.9500 |" in page([found])


def test_a_row_of_widths_compares_them_with_plain_ones_and_has_the_coverage_with_and_without_a_warning():
    quiet = Coverage(below=False, above=False, width=0.3, plain=0.2)
    warned = Coverage(below=False, above=True, width=0.6, plain=0.2, is_warned=True)
    found = Finding(LINE, 0.75, 4, (0.5, 1.0), True, figures_of(0.75, [quiet, quiet, quiet, warned], samples=5))
    shown = page([found])
    assert "| none | median | 90 % | warned | covers if | if not |" in shown
    assert "| .20 | 1.50 | 2.55 | .25 | .000 | 1.000 |" in shown


def test_rows_that_differ_in_a_number_are_one_row():
    names = ["8 clusters, a", "20 clusters, a", "class of 3 words, 8 clusters", "one page in 20, 8 pages"]
    findings = [replace(HELD, line=replace(LINE, name=name)) for name in names]
    findings[1] = replace(findings[1], figures={"share": 0.06})
    lone = "".join(f"| {name} | .0500 | .0390–.0620 |\n" for name in names[2:])
    assert f"| 8/20 clusters, a | .0500/.0600 | .0390–.0620 |\n{lone}" in page(findings)


def test_the_page_names_version_and_seed():
    assert f"Version {__version__}, seed 1." in page()


def cells_of(section):
    """Cells of a study's lines, by their names."""
    of_study = COMMITTED.split(f"\n## {section} ")[1].split("\n## ")[0]
    cells = {}
    for row in of_study.splitlines():
        if row.startswith("| ") and not row.startswith("| |"):
            name, *columns = row.strip("|").split(" | ")
            numbers = re.search(r"\d+(?:/\d+)+", name)
            for index, number in enumerate(numbers[0].split("/") if numbers else [""]):
                figures = [column.split("/") for column in columns]
                single = name.replace(numbers[0], number) if numbers else name
                cells[single.strip()] = [figure[index if len(figure) > 1 else 0].strip() for figure in figures]
    return cells


@pytest.mark.slow
@pytest.mark.usefixtures("smaller")
def test_the_committed_page_has_a_section_and_figures_for_every_claim():
    for study in STUDIES:
        section = COMMITTED.split(f"\n## {study.id} ")[1].split("\n## ")[0]
        assert f" {study.replications:,} samples.\n" in section
        assert sorted(cells_of(study.id)) == sorted(line.name for line in study.lines)
    assert "**" not in COMMITTED


def test_agreement_hardly_loses_and_a_row_that_covers_less_says_why():
    published = cells_of("S25")
    for name, (share, _, width, same_draw, worth, _) in published.items():
        assert float(share) >= 0.93 or ": " in name
        assert float(width) <= 1
        # In root mean squared error, beside the typed alone.
        assert float(same_draw) ** -0.5 <= (1.03 if "five units" in name else 1.01)
        assert "disagreement" not in name or float(worth) >= 0.85
    assert len(published) == 46
    assert all(float(share) <= 0.06 for share, _ in cells_of("S26").values())


def test_what_is_not_run_stays_as_it_was():
    assert render(COMMITTED, {}, None) == COMMITTED
    assert page().split("## S2 ")[1] == COMMITTED.split("## S2 ")[1]


def test_the_guide_quotes_the_page(repository):
    guide = (repository / "docs/explanation/statistics.md").read_text(encoding="utf-8")
    quoted = dict(re.findall(r"^\| ([^|]+?) \| ([\d.]+) % \|$", guide, re.MULTILINE))
    assert quoted == {name: f"{100 * float(share):.1f}" for name, (share, _) in cells_of("S2").items()}


def test_the_guide_quotes_the_coverage_of_differences(repository):
    guide = (repository / "docs/explanation/statistics.md").read_text(encoding="utf-8")
    published = cells_of("S9")
    quoted = re.findall(r"^\| (\d+) \| ([\d.]+) % \| ([\d.]+) % \|$", guide, re.MULTILINE)
    assert [int(clusters) for clusters, *_ in quoted] == list(CLUSTERS)
    for clusters, *shares in quoted:
        for method, share in zip(("jackknife", "percentile"), shares, strict=True):
            covers, *_ = published[f"strong, unequal, {clusters} clusters, {method}"]
            assert share == f"{100 * float(covers):.1f}"


def test_the_guide_quotes_coverage_and_width_of_rates_and_what_warnings_say_of_them(repository):
    guide = (repository / "docs/explanation/statistics.md").read_text(encoding="utf-8")
    published = cells_of("S9b")
    corpora = ["strong, unequal", "large ones harder", "runaways, unequal"]
    for clusters in RATE_CLUSTERS:
        rows = [published[f"{corpus}, {clusters} clusters"] for corpus in corpora]
        quoted = [f"{100 * float(row[0]):.1f} % | {row[3]}" for row in rows]
        assert f"| {clusters} | {' | '.join(quoted)} |" in guide
    for corpus in ["alike", *corpora]:
        *_, warned, if_warned, if_not, _ = published[f"{corpus}, 20 clusters"]
        shares = f"{100 * float(warned):.0f} % | {100 * float(if_warned):.1f} % | {100 * float(if_not):.1f} % |"
        assert f"| {shares}" in guide


def test_the_guide_quotes_coverage_and_width_of_sequential_intervals(repository):
    guide = (repository / "docs/explanation/statistics.md").read_text(encoding="utf-8")
    published = cells_of("S20")
    for clusters in LOOKS[1:]:
        rows = [published[f"{corpus}, {clusters} clusters"] for corpus in ("alike", "large ones harder")]
        quoted = [f"{100 * float(row[0]):.1f} % | {row[1]}" for row in rows]
        assert f"| {clusters} | {' | '.join(quoted)} |" in guide
    naive = 1 - float(published["alike, 500 clusters, interval for a fixed number"][0])
    assert f"errs in\n{100 * naive:.0f} % of the corpora of 500 clusters" in guide
