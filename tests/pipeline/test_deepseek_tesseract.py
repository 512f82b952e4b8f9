"""The experiment of the OCR benchmark specification, on its own layout and through workers.

Tesseract is the real one behind a real worker. No model is behind the other address: a scripted server stands in for
the protocol of DeepSeek-OCR, gives prepared texts, and takes part in no result.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

import pytest
from tests.engines.deepseek_stand_in import deepseek_stand_in
from tests.serve.running import running

import misread
from misread import read_run
from misread.cli.compose import compose
from misread.data.segment_table import Source
from misread.engines import Tesseract
from misread.errors import NoServerError
from misread.pipeline import paths
from misread.storage import read_capture

from .conftest import run_stages

pytestmark = [pytest.mark.engine, pytest.mark.pipeline, pytest.mark.process]

REPOSITORY = Path(__file__).resolve().parents[2]
INVOICES = REPOSITORY / "data/invoices"
TRUTH = json.loads((INVOICES / "ground_truth.json").read_text(encoding="utf-8"))
NOBODY = "http://127.0.0.1:9/v1"


@pytest.fixture(scope="module")
def tesseract():
    with running("tesseract") as worker:
        yield worker.url


@pytest.fixture(scope="module")
def stand_in():
    """Gives the reference of an image with one letter changed."""
    with deepseek_stand_in({(INVOICES / "images" / name).read_bytes(): wrong(of) for name, of in TRUTH.items()}) as url:
        yield url


def wrong(document):
    return document["full_text"].replace("INVOICE", "INV0ICE")


@pytest.fixture
def run(tmp_path, tesseract):
    """Run the whole experiment in a folder that has data/datasets/receipts."""
    shutil.copytree(REPOSITORY / "conf", tmp_path / "conf")
    (tmp_path / "conf/datasets").mkdir(exist_ok=True)
    shutil.copytree(INVOICES, tmp_path / "data/datasets/receipts")
    described = (REPOSITORY / "conf/datasets/invoices.yaml").read_text(encoding="utf-8")
    described = described.replace("data/invoices", "data/datasets/receipts", 2).replace("invoices:", "receipts:")
    (tmp_path / "conf/datasets/receipts.yaml").write_text(described, encoding="utf-8")

    def run_all(deepseek, *overrides):
        compose(
            [
                "+experiment=deepseek_tesseract",
                "datasets=[receipts]",
                f"systems.deepseek.url={deepseek}",
                "systems.deepseek.model=scripted stand-in",
                "report.names.deepseek=scripted stand-in",
                "+systems.deepseek.attempts=1",
                f"systems.tesseract_worker.url={tesseract}",
                "statistics.resamples=99",
                "report.confusions=0",
                "report.metrics=[cer]",
                "report.figure_formats=[]",
                *overrides,
            ]
        )
        run_stages(tmp_path)
        return {path.name: read_run(path) for path in Path("data/results/benchmarks").iterdir()}

    with contextlib.chdir(tmp_path):
        yield run_all


def hypotheses(system):
    read = read_capture(paths.capture("receipts", system))
    return dict(zip(read.segments.segment_id, read.texts.hypotheses, strict=True))


def test_both_systems_are_compared_and_every_run_is_kept(run, stand_in):
    [(run_id, first)] = run(stand_in).items()
    assert hypotheses("deepseek") == {name: wrong(of) for name, of in TRUTH.items()}
    reader = Tesseract(page_segmentation="auto").open()
    direct = {name: reader.read(Source(name, INVOICES / "images" / name)) for name in TRUTH}
    reader.close()
    assert hypotheses("tesseract_worker") == {name: text.text for name, text in direct.items()}

    assert first.config["run_id"] == run_id
    assert first.config["settings"]["systems"]["deepseek"]["model"] == "scripted stand-in"
    assert len(first.config["data"]) == 1
    assert list(first.results) == list(TRUTH)
    assert first.results["doc_001.png"]["deepseek"]["cer"]["substitutions"] == 1
    assert {frozenset((pair.system, pair.baseline)) for pair in first.summary.comparisons} == {
        frozenset(("deepseek", "tesseract_worker"))
    }
    reading = first.readings["tesseract_worker"]["segments"]["doc_001.png"]
    assert (reading["text"], reading["latency_ms"] > 0) == (direct["doc_001.png"].text, True)
    totals = first.readings["deepseek"]["totals"]
    tokens = [misread.spec.token_efficiency(wrong(document)).total_tokens for document in TRUTH.values()]
    assert totals["total_tokens"] == sum(tokens)
    assert totals["estimated_cost_usd"] == pytest.approx(sum(tokens) / 1000 * 0.01)
    metrics = set(first.summary.systems["deepseek"])
    assert {"cer", "wer", "ser", "token_f1", "token_position_accuracy", "token_density", "token_cost"} <= metrics

    # Another run has a folder of its own.
    folder = Path("data/results/benchmarks") / run_id
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    assert len(run(stand_in, "normalizer=lower", "metrics=[]", "+metrics.cer=cer")) == 2
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


def test_without_a_server_one_line_names_the_setting_and_the_other_half_runs(run, capsys):
    [found] = run(NOBODY, "metrics=[]", "+metrics.cer=cer").values()
    said = capsys.readouterr().err
    assert f"warning: nothing answers at {NOBODY}: " in said
    assert "; start the server, or set `url` of the system. With it: dvc repro --force --single-item" in said
    assert f"note: deepseek is left out of receipts: nothing answers at {NOBODY}\n" in said
    assert found.config["left_out"] == {"deepseek": f"nothing answers at {NOBODY}"}
    assert list(found.summary.systems) == ["tesseract_worker"]
    assert found.summary.systems["tesseract_worker"]["cer"].micro < 0.1
    assert "nothing answers at" in Path("reports/tables/receipts_cer.md").read_text(encoding="utf-8")


def test_a_server_that_must_be_there_ends_the_capture(run, tmp_path):
    with pytest.raises(NoServerError, match="nothing answers at"):
        run(NOBODY, "systems.deepseek.without_server=error")
