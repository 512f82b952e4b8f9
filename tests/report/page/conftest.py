"""Runs made by hand, through the real normalizer, metrics, statistics and files' records, as small as they can be."""

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


def make_results(
    references, hypotheses, *, dataset="books", ids=None, clusters=None, groups=None, alternatives="", **further
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
    scored = {system: ScoredSystem(of, METRICS, "drop") for system, of in texts.items()}
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
