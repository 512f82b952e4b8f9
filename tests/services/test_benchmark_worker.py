"""The benchmark as the specification lays it out, through workers."""

import importlib
import json
import random
import shutil
import sys
from pathlib import Path

import jiwer
import pytest
from tests.engines.deepseek_stand_in import deepseek_stand_in
from tests.serve.running import running

from misread import read_run

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "docs/ocr-benchmark/services/benchmark_worker"
INVOICES = ROOT / "data/invoices"
TRUTH = {
    name: of["full_text"]
    for name, of in json.loads((INVOICES / "ground_truth.json").read_text(encoding="utf-8")).items()
}


@pytest.fixture
def service(monkeypatch):
    """Import modules of the service as its own process does."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(SERVICE))
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in {"worker", "metrics", "utils"}:
            del sys.modules[name]


@pytest.fixture(scope="module")
def tesseract():
    with running("tesseract") as worker:
        yield worker.url


@pytest.fixture
def data(tmp_path):
    shutil.copytree(INVOICES, tmp_path / "datasets/receipts")
    return tmp_path


@pytest.mark.engine
@pytest.mark.process
def test_a_data_set_is_read_by_both_compared_and_stored_once(service, data, tesseract, monkeypatch, capsys):
    monkeypatch.setenv("TESSERACT_URL", tesseract)
    texts = {(INVOICES / "images" / name).read_bytes(): text.replace("INV", "1NV") for name, text in TRUTH.items()}
    with deepseek_stand_in(texts) as url:
        monkeypatch.setenv("DEEPSEEK_URL", url)
        service("worker").main(["receipts", "--data", str(data)])
    said = capsys.readouterr()
    [folder] = (data / "results/benchmarks").iterdir()
    assert said.out.endswith(f"run: {folder}\n")
    run = read_run(folder)
    assert run.config["run_id"] == folder.name
    assert {*run.results["doc_001.png"]} == {"deepseek", "tesseract_worker"}
    assert run.results["doc_001.png"]["deepseek"]["cer"]["substitutions"] == 2
    assert run.summary.systems["deepseek"]["token_cost"].micro > 0
    # The nine metrics of the specification, from one run.
    assert {"cer", "wer", "ser", "token_f1", "confusion_rate"} <= {*run.summary.systems["deepseek"]}
    image = run.results["doc_001.png"]["deepseek"]
    answers = {"field_f1", "json_validity", "json_compliance", "json_completeness", "extraction_success"}
    assert {*answers, "token_cost"} <= {*image}
    # No answer has a vendor.
    assert run.summary.systems["deepseek"]["json_compliance"].micro == 0
    assert run.config["required_fields"] == ["date", "invoice_number", "total", "vendor"]
    # Of three documents with four fields, no vendor has a label, and one number is wrong: precision 8/9, recall 8/12.
    assert run.summary.systems["deepseek"]["field_f1"].micro == pytest.approx(16 / 21)
    assert image["json_completeness"]["score"] == 0.75
    assert {pair.metric for pair in run.summary.comparisons} >= {"cer", "field_f1"}
    readings = run.readings["deepseek"]
    assert readings["segments"]["doc_001.png"]["text"] == TRUTH["doc_001.png"].replace("INV", "1NV")
    assert all(entry["latency_ms"] > 0 for entry in readings["segments"].values())
    totals = readings["totals"]
    assert totals["total_tokens"] == sum(image["deepseek"]["token_cost"]["tokens"] for image in run.results.values())
    assert totals["estimated_cost_usd"] == pytest.approx(totals["total_tokens"] / 1000 * 0.01)
    assert f"{totals['total_tokens']:,} tokens of gpt-4, {totals['estimated_cost_usd']:.5f} USD" in said.out

    # Nobody answers any more, and nobody has to: the readings are kept, and so is the run.
    service("worker").main(["receipts", "--data", str(data)])
    assert [path.name for path in (data / "results/benchmarks").iterdir()] == [folder.name]

    # Fields alone are enough.
    truth = data / "datasets/receipts/ground_truth.json"
    documents = json.loads(truth.read_text(encoding="utf-8"))
    truth.write_text(json.dumps({name: {"fields": document["fields"]} for name, document in documents.items()}))
    service("worker").main(["receipts", "--data", str(data)])
    assert "receipts has documents without full_text: metrics of texts are left out." in capsys.readouterr().err
    [other] = {*(data / "results/benchmarks").iterdir()} - {folder}
    metrics = read_run(other).summary.systems["deepseek"]
    assert (answers <= {*metrics}, "cer" in metrics) == (True, False)
    assert metrics["field_f1"].micro == run.summary.systems["deepseek"]["field_f1"].micro


@pytest.mark.engine
@pytest.mark.process
def test_a_reading_that_failed_is_asked_for_again_and_no_other(service, data, tesseract, monkeypatch, capsys):
    worker = service("worker")
    settings = worker._settings
    monkeypatch.setattr(worker, "_settings", lambda system: {**settings(system), "attempts": 1})
    monkeypatch.setenv("TESSERACT_URL", tesseract)
    texts = {(INVOICES / "images" / name).read_bytes(): text for name, text in TRUTH.items()}
    broken = {(INVOICES / "images/doc_002.png").read_bytes()}
    with deepseek_stand_in(texts, broken) as url:
        monkeypatch.setenv("DEEPSEEK_URL", url)
        with pytest.raises(SystemExit):
            worker.main(["receipts", "--data", str(data)])
        said = capsys.readouterr().err
        assert "warning: segment 'doc_002.png' of 'receipts': the server answers 500: out of memory\n" in said
        assert "Run the worker again: it asks for these again, and for no others." in said
        assert "misread capture" not in said
        # What was read would fail if it were asked for again.
        broken ^= set(texts)
        worker.main(["receipts", "--data", str(data)])
    assert "failed" not in capsys.readouterr().err
    [folder] = (data / "results/benchmarks").iterdir()
    assert read_run(folder).summary.systems["deepseek"]["cer"].micro == 0


@pytest.mark.engine
@pytest.mark.process
def test_without_fields_the_texts_are_scored_alone(service, data, tesseract, monkeypatch, capsys):
    worker = service("worker")
    monkeypatch.setenv("TESSERACT_URL", tesseract)
    monkeypatch.setenv("DEEPSEEK_URL", "http://127.0.0.1:9/v1")
    settings = worker._settings
    monkeypatch.setattr(worker, "_settings", lambda system: {**settings(system), "attempts": 1})
    truth = {name: {"full_text": text} for name, text in TRUTH.items()}
    (data / "datasets/receipts/ground_truth.json").write_text(json.dumps(truth), encoding="utf-8")
    worker.main(["receipts", "--data", str(data)])
    assert "receipts has documents without fields" in capsys.readouterr().err
    [folder] = (data / "results/benchmarks").iterdir()
    assert not {"field_f1", "json_validity"} & {*read_run(folder).summary.systems["tesseract_worker"]}


@pytest.mark.engine
@pytest.mark.process
def test_without_a_model_the_other_half_is_stored_and_one_line_names_the_setting(
    service, data, tesseract, monkeypatch, capsys
):
    worker = service("worker")
    settings = worker._settings
    monkeypatch.setattr(worker, "_settings", lambda system: {**settings(system), "attempts": 1})
    monkeypatch.setenv("TESSERACT_URL", tesseract)
    monkeypatch.setenv("DEEPSEEK_URL", "http://127.0.0.1:9/v1")
    worker.main(["receipts", "--data", str(data)])
    assert "warning: deepseek is left out: nothing answers at http://127.0.0.1:9/v1" in capsys.readouterr().err
    [folder] = (data / "results/benchmarks").iterdir()
    assert read_run(folder).config["left_out"] == {"deepseek": "nothing answers at http://127.0.0.1:9/v1"}


def test_a_data_set_that_is_not_there_lists_those_that_are(service, data, capsys):
    with pytest.raises(SystemExit):
        service("worker").main(["receipt", "--data", str(data)])
    assert capsys.readouterr().err.endswith("datasets/receipt; there are: receipts.\n")


@pytest.mark.parametrize(
    ("predicted", "truth"),
    [("INV0ICE #12345", "INVOICE #12345"), ("TOTAL AMUNT DUE", "TOTAL AMOUNT DUE"), ("", "a"), ("a b c", "b c d")],
)
def test_error_rates_are_per_cent_as_jiwer_counts_them_and_the_reading_stands_first(service, predicted, truth):
    metrics = service("metrics.text_correctness")
    found = metrics.calculate_all_text_metrics(predicted, truth)
    characters, words = jiwer.process_characters(truth, predicted), jiwer.process_words(truth, predicted)
    assert found["cer"]["cer"] == pytest.approx(100 * characters.cer)
    assert found["cer"]["total_chars"] == len(truth)
    assert found["wer"]["wer"] == pytest.approx(100 * words.wer)
    assert found["wer"]["total_words"] == len(truth.split())
    errors = found["cer"]["substitutions"] + found["cer"]["deletions"] + found["cer"]["insertions"]
    assert errors == characters.substitutions + characters.deletions + characters.insertions
    assert found["confusion_matrix"]["confusion_rate"] == pytest.approx(100 * errors / len(truth))


def test_the_other_metrics_give_what_the_specification_prints(service):
    text, answers = service("metrics.text_correctness"), service("metrics.llm_integration")
    lines = ["INVOICE NUMBER: INV-2024-001", "DATE: 2024-03-15", "TOTAL: $150.00"]
    ser = text.calculate_ser([*lines[:2], "TOTAL: $15O.OO"], lines)
    assert (round(ser["ser"], 2), ser["error_indices"], ser["correct_sentences"]) == (33.33, [2], 2)
    tokens = text.calculate_token_accuracy("Invoice INV-OO1", "Invoice INV-001")
    assert (tokens["exact_match_rate"], tokens["token_f1"]) == (50, 0.5)
    fields = answers.calculate_field_extraction_f1({"total": "1", "customer": "x"}, {"total": "1", "vendor": "y"})
    assert (fields["field_f1"], fields["missing_fields"], fields["extra_fields"]) == (0.5, ["vendor"], ["customer"])
    assert answers.validate_json_output('{"a": 1}', {"required": ["a"]})["completeness_score"] == 1
    assert answers.validate_json_output("<a/>", None, "xml")["is_valid"]
    assert answers.calculate_token_efficiency("Total: $1")["total_tokens"] > 0
    assert answers.evaluate_downstream_task("qa", {"answer": "a"}, {"answer": "A"})["task_success"]


@pytest.mark.slow
def test_rates_of_odd_texts_are_those_of_jiwer(service):
    metrics = service("metrics.text_correctness")
    draw = random.Random(3)  # noqa: S311 - texts, and no secrets
    texts = ["".join(draw.choice("ab \n\t\u00a0") for _ in range(draw.randrange(9))) for _ in range(2000)]
    for predicted, truth in zip(texts[::2], texts[1::2], strict=True):
        assert metrics.calculate_cer(predicted, truth)["cer"] == pytest.approx(100 * jiwer.cer(truth, predicted))
        assert metrics.calculate_wer(predicted, truth)["wer"] == pytest.approx(100 * jiwer.wer(truth, predicted))


def test_a_text_without_ground_truth_has_no_rate_of_confusions(service):
    assert service("metrics.text_correctness").calculate_confusion_matrix("x", "")["confusion_rate"] == 0


@pytest.mark.parametrize(
    ("task", "result", "truth", "outcome"),
    [
        ("extraction", {"total": "1"}, {}, (False, 0, "extraction_incomplete")),
        ("qa", {}, {}, (True, 1, None)),
        ("qa", {"answer": "a"}, {}, (False, 0, "answer_incorrect")),
        ("qa", {}, {"answer": " "}, (True, 1, None)),
        ("classification", {}, {}, (True, 1, None)),
        ("classification", {"class": "a"}, {}, (False, 0, "classification_wrong")),
        ("summarization", {}, {}, (False, 0, "unknown_task_type")),
    ],
)
def test_tasks_without_a_truth_come_out_as_printed(service, task, result, truth, outcome):
    found = service("metrics.llm_integration").evaluate_downstream_task(task, result, truth)
    assert found == dict(zip(("task_success", "quality_score", "error_type"), outcome, strict=True))


@pytest.mark.parametrize("model", ["claude", "llama", "gpt-3.5-turbo"])
def test_other_models_are_counted_as_gpt4_with_a_warning(service, model):
    count = service("metrics.llm_integration").calculate_token_efficiency
    with pytest.warns(UserWarning, match=f"'{model}' has no price here: its tokens are counted by cl100k_base"):
        assert count("Total: $1", model) == count("Total: $1")


def test_without_tiktoken_there_is_a_record_with_an_error(service, monkeypatch):
    count = service("metrics.llm_integration").calculate_token_efficiency
    names = set(count("a"))
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    without = count("a")
    assert without.pop("error") == "tiktoken not installed"
    assert without == dict.fromkeys(names, 0)


def test_the_files_are_those_of_the_specification():
    found = {path.relative_to(SERVICE).as_posix() for path in SERVICE.rglob("*") if "__pycache__" not in path.parts}
    assert found >= {
        "worker.py",
        "metrics/__init__.py",
        "metrics/text_correctness.py",
        "metrics/llm_integration.py",
        "utils/__init__.py",
        "utils/data_loader.py",
        "requirements.txt",
        "metrics.md",
    }
