"""Runs made by hand, through the real normalizer, metrics, statistics and files' records, as small as they can be."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextFacts, TextPairs
from misread.metrics import ErrorRate
from misread.normalize import Normalizer, normalize
from misread.report import DatasetResults, ReportInput
from misread.report.page import render_page
from misread.stats import StatisticsSettings, compare_systems
from misread.tables import PageSettings, ReportSettings
from misread.tally import ScoredSystem

METRICS = [ErrorRate("cer", "char"), ErrorRate("wer", "word")]
# The first does not draw windows that nobody sees: its tests take half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def make_results(
    references,
    hypotheses,
    *,
    dataset="books",
    ids=None,
    clusters=None,
    groups=None,
    alternatives="",
    equivalents=None,
    **further,
):
    """A data set with its comparison and everything behind it."""
    ids = ids or [f"line-{number:03}" for number in range(len(references))]
    keys = SegmentKeys(ids, clusters, groups or {})
    normalizer = Normalizer("whitespace", ["collapse_whitespace"])
    texts = {}
    for system, of_system in hypotheses.items():
        cluster_name = "book" if clusters else ""
        origin = Origin(
            dataset,
            system,
            "0123456789abcdef",
            {"engine": "1.0"},
            cluster_name,
            facts=TextFacts(alternatives=alternatives),
        )
        reasons = ["the image is cut short" if text is None else None for text in of_system]
        texts[system] = normalize(Capture(origin, keys, TextPairs(references, of_system), reasons), normalizer)
    scored = {system: ScoredSystem(of, METRICS, "drop", equivalents) for system, of in texts.items()}
    scores = {system: of.scores for system, of in scored.items()}
    settings = StatisticsSettings(seed=1, resamples=99, tests=["randomisation"], deciding_test="randomisation")
    return DatasetResults(
        comparison=compare_systems(scores, METRICS, settings, dataset=dataset, baseline=next(iter(hypotheses))),
        texts=texts,
        alignments={system: of.alignments for system, of in scored.items()},
        confusions={system: of.confusions for system, of in scored.items()},
        **further,
    )


def report_settings(**page):
    return ReportSettings(["cer", "wer"], names={"pero": "PERO"}, page=PageSettings(**page))


@pytest.fixture(scope="session")
def run_on():
    return make_results


@pytest.fixture(scope="session")
def books():
    """Forty lines of four books by three systems: PERO is good, Kraken is bad, line 7 is wrong in one way in all."""
    references = [f"rue de la Paix, n. {number}, à Paris" for number in range(40)]
    pero = [text.replace("à", "a") if number % 5 == 0 else text for number, text in enumerate(references)]
    tesseract = [text.replace("Paix", "Palx") if number % 2 else text for number, text in enumerate(references)]
    kraken = [text.replace("rue ", "ru") + "." * (number % 3) for number, text in enumerate(references)]
    pero[7] = tesseract[7] = kraken[7] = "rue de la Poix, n. 7, à Paris"
    kraken[11] = None
    kraken[12] = ""
    clusters = [f"book-{number // 10}" for number in range(40)]
    groups = {"print": ["clean" if number % 4 else "faded" for number in range(40)]}
    hypotheses = {"pero": pero, "tesseract4": tesseract, "kraken": kraken}
    return make_results(references, hypotheses, clusters=clusters, groups=groups)


@pytest.fixture(scope="session")
def html_of(tmp_path_factory):
    """The page of one or more data sets."""
    folder = tmp_path_factory.mktemp("page")

    def make(*datasets, settings=None, params=None, rendered=None):
        return render_page(ReportInput(datasets, params or {}), rendered or {}, settings or report_settings(), folder)

    return make


@dataclass
class Tab:
    """A page in a browser, with what it said and what it asked for."""

    page: object
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def count(self):
        """Segments found, as the explorer says."""
        return self.page.inner_text("#found")

    def wait_for_count(self, text):
        self.page.wait_for_function("text => document.querySelector('#found')?.textContent === text", arg=text)

    def ids(self):
        return self.page.locator(".stack h4").all_inner_texts()


@pytest.fixture(scope="session")
def chromium():
    """A real browser; absent, tests that need it are skipped with the reason."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no browser: install Chromium (apt-get install chromium-headless-shell)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_tab(chromium, tmp_path):
    """Write a page into a file and open it with the network off."""
    contexts = []

    def open_page(html, *, address="", script=True, **context_settings):
        path = tmp_path / "index.html"
        if html is not None:
            path.write_text(html, encoding="utf-8")
        context = chromium.new_context(offline=True, java_script_enabled=script, **context_settings)
        contexts.append(context)
        tab = Tab(context.new_page())
        tab.page.on(
            "console", lambda said: tab.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.page.on("dialog", lambda dialog: (tab.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        tab.page.on("request", lambda request: tab.requests.append(request.url))
        tab.page.set_default_timeout(5000)
        tab.page.goto(f"{path.as_uri()}{address}")
        if script and "index-0" in path.read_text(encoding="utf-8"):
            tab.page.wait_for_selector(".stack article .plain, .stack article details, .stack .nothing")
        return tab

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe(repository):
    """Source of axe-core, the checker of accessibility, from the folder of npm."""
    path = Path(os.environ.get("MISREAD_AXE", repository / "node_modules" / "axe-core" / "axe.min.js"))
    if not path.is_file():
        pytest.skip(f"no axe-core: {path} is not there (make axe)")
    return path.read_text(encoding="utf-8")
