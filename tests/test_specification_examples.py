"""Every number that the five specifications print, right or put right: see docs/specification.md."""

from __future__ import annotations

import pickle
from pathlib import Path
from runpy import run_path

import pytest

import misread
from misread import spec
from misread.errors import UnknownNameError
from misread.features.answers import validate_json_output
from misread.features.token_costs import token_efficiency
from misread.metrics import BENCHMARK_STANDARDS, PARITY, QUALITY

LINE_COLUMNS = [
    *("id", "len_gt", "len_pred", "wer", "cer", "wer_norm", "cer_norm"),
    *("line_acc", "line_acc_norm", "rev_line_acc", "rev_line_acc_norm"),
    *("exact_line_precision", "exact_line_recall", "exact_line_f1"),
    *("exact_line_precision_norm", "exact_line_recall_norm", "exact_line_f1_norm"),
]
INVOICE = {"invoice_number": "INV-2024-001", "date": "2024-03-15", "total": "$150.00"}


def percent(rate: float, digits: int = 2) -> str:
    return f"{100 * rate:.{digits}f}"


# Evaluation Metrics (lines)


def test_lines_a_perfect_match_is_zero_and_one_wrong_word_of_ten_is_a_tenth() -> None:
    words = "a b c d e f g h i j"
    assert misread.wer(words, words) == misread.cer(words, words) == 0.0
    assert misread.wer(words, words.replace("j", "x")) == 0.1
    assert misread.cer("x" * 100, "x" * 99 + "y") == 0.01


def test_lines_arguments_have_the_printed_names() -> None:
    for rate in (spec.wer, spec.cer, spec.line_accuracy, spec.reverse_line_accuracy):
        assert rate(ref="a\nb", hyp="a\nc") == rate(reference="a\nb", hypothesis="a\nc") > 0
    assert spec.evaluate_prediction(gt="a b", pred="a c", id="sample_001").wer == 0.5
    with pytest.raises(TypeError, match="got 'reference' twice, the second time as 'ref'"):
        spec.wer(ref="a", reference="a", hyp="a")


def test_lines_the_csv_has_the_printed_columns_and_ends_with_the_means() -> None:
    text = spec.evaluations_csv(
        [spec.evaluate_prediction("a b", "a c", "one"), spec.evaluate_prediction("a", "a", "two")]
    )
    header, *_, last = text.splitlines()
    assert header.replace(",", " ").split() == LINE_COLUMNS
    assert last.startswith("MACRO_AVG,2.0,2.0,0.25,")


# Evaluation Metrics (Thulium suite)


def test_suite_two_of_nineteen_characters() -> None:
    reference, hypothesis = "The quick brown fox", "The quich brown fax"
    assert spec.get_edit_operations(reference, hypothesis).substitutions == 2
    assert len(reference) == 19
    assert round(misread.cer(reference, hypothesis), 4) == 0.1053
    assert percent(misread.cer(reference, hypothesis)) == "10.53"


def test_suite_a_rate_can_exceed_one() -> None:
    assert misread.cer("a", "abc") == 2.0


@pytest.mark.parametrize(("hypothesis", "operations"), [("bat", (1, 0, 0)), ("at", (0, 1, 0)), ("coat", (0, 0, 1))])
def test_suite_each_operation_by_its_example(hypothesis: str, operations: tuple[int, int, int]) -> None:
    found = spec.get_edit_operations("cat", hypothesis)
    assert (found.substitutions, found.deletions, found.insertions) == operations


def test_suite_the_figure_of_four_languages() -> None:
    found = spec.fairness({"English": 0.018, "German": 0.021, "Arabic": 0.042, "Georgian": 0.035})
    assert [percent(value, 1) for value in (found.mean, found.range, found.standard_deviation)] == ["2.9", "2.4", "1.0"]


@pytest.mark.parametrize(
    ("spread", "name"),
    [
        (0.0199, "Excellent parity"),
        (0.02, "Good parity"),
        (0.05, "Moderate disparity"),
        (0.1001, "Significant disparity"),
    ],
)
def test_suite_words_for_the_range(spread: float, name: str) -> None:
    assert PARITY.name(spread) == name


def test_suite_the_interval_of_five_values_holds_their_mean() -> None:
    lower, upper = spec.bootstrap_ci([0.02, 0.018, 0.023, 0.019, 0.021], confidence=0.95)
    assert f"95% CI: [{lower:.4f}, {upper:.4f}]" == "95% CI: [0.0188, 0.0218]"


def test_suite_the_usage_examples_give_these_numbers() -> None:
    pair = "Hello World", "Hello world"
    assert f"{misread.cer(*pair):.4f} {misread.wer(*pair):.4f} {misread.ser(*pair):.4f}" == "0.0909 0.5000 1.0000"
    texts = ["text one", "text two", "text three"], ["text one", "text too", "txt three"]
    batch_cer, batch_wer = spec.cer_wer_batch(*texts)
    assert (batch_cer, batch_wer) == (2 / 26, 2 / 6)
    operations = spec.get_edit_operations("hello", "hallo")
    assert [operations[name] for name in ("substitutions", "deletions", "insertions")] == [1, 0, 0]


def test_suite_the_table_of_benchmark_standards() -> None:
    rows = {of.dataset: (of.language, *of.cer, *of.wer) for of in BENCHMARK_STANDARDS}
    assert rows == {
        "IAM": ("English", 0.025, 0.035, 0.06, 0.09),
        "RIMES": ("French", 0.015, 0.030, 0.05, 0.08),
        "Washington": ("English (historical)", 0.03, 0.06, 0.10, 0.18),
        "Bentham": ("English (historical)", 0.03, 0.05, 0.08, 0.14),
        "CVL": ("German", 0.02, 0.04, 0.07, 0.12),
    }


# OCR Benchmarking Metrics Specification


def test_ocr_characters_of_an_invoice_number() -> None:
    reference, hypothesis = "INVOICE #12345", "INV0ICE #12345"
    counts = misread.error_counts(reference, hypothesis)
    found = (counts.insertions[0], counts.deletions[0], counts.substitutions[0], counts.reference_length[0])
    assert (percent(misread.cer(reference, hypothesis)), *found) == ("7.14", 0, 0, 1, 14)


def test_ocr_words_of_a_total() -> None:
    reference, hypothesis = "TOTAL AMOUNT DUE", "TOTAL AMUNT DUE"
    counts = misread.error_counts(reference, hypothesis, unit="word")
    found = (counts.substitutions[0], counts.deletions[0], counts.insertions[0], counts.reference_length[0])
    assert (percent(misread.wer(reference, hypothesis)), *found) == ("33.33", 1, 0, 0, 3)


def test_ocr_one_sentence_of_three() -> None:
    lines = ["INVOICE NUMBER: INV-2024-001", "DATE: 2024-03-15"]
    found = spec.sentence_error_rate([*lines, "TOTAL: $150.00"], [*lines, "TOTAL: $15O.OO"])
    assert percent(found.ser) == "33.33"
    assert [found[name] for name in ("total_sentences", "error_sentences", "correct_sentences", "error_indices")] == [
        3,
        1,
        2,
        [2],
    ]


def test_ocr_tokens_are_five_of_six_not_six_of_seven() -> None:
    found = spec.token_accuracy(
        "Invoice Number INV-2024-001 Total Amount $150.00", "Invoice Number INV-2024-OO1 Total Amount $150.00"
    )
    assert percent(found.exact_match_rate) == "83.33"
    assert [round(found[f"token_{name}"], 3) for name in ("precision", "recall", "f1")] == [0.833] * 3


def test_ocr_confusions_are_six_of_twenty_nine_not_four() -> None:
    reference, hypothesis = "INVOICE #12345 TOTAL: $150.00", "INV0ICE #I2345 T0TAL: $15O.OO"
    found = spec.confusion_matrix(reference, hypothesis)
    assert found.confusion_matrix == {"O": {"0": 2}, "0": {"O": 3}, "1": {"I": 1}}
    assert (found.total_errors, percent(found.confusion_rate)) == (6, "20.69")
    assert found.top_confusions == [("0", "O", 3), ("O", "0", 2), ("1", "I", 1)]


def test_ocr_half_of_the_fields() -> None:
    truth = {**INVOICE, "vendor": "Acme Corp"}
    found = spec.field_extraction_f1(
        reference=truth, hypothesis={**INVOICE, "total": "$15O.OO", "customer": "John Doe"}
    )
    assert (found.field_precision, found.field_recall, found.field_f1) == (0.5, 0.5, 0.5)
    assert set(found.correct_fields) == {"invoice_number", "date"}
    assert (found.missing_fields, found.incorrect_fields, found.extra_fields) == (["vendor"], ["total"], ["customer"])


def test_ocr_a_valid_answer_is_complete() -> None:
    schema = {
        "type": "object",
        "required": ["invoice_number", "date", "total"],
        "properties": {name: {"type": "string"} for name in ("invoice_number", "date", "total")},
    }
    found = spec.validate_json_output('{"invoice_number": "INV-001", "date": "2024-03-15", "total": "$150.00"}', schema)
    assert dict(found) == {
        "is_valid": True,
        "is_schema_compliant": True,
        "parsing_error": None,
        "validation_errors": [],
        "completeness_score": 1.0,
        "field_count": 3,
    }


def test_ocr_tokens_of_a_language_model_are_thirty_not_twenty_five() -> None:
    text = "INVOICE\nInvoice Number: INV-2024-001\nDate: 2024-03-15\nTotal Amount: $150.00"
    assert dict(spec.token_efficiency(text)) == pytest.approx(
        {
            "total_tokens": 30,
            "meaningful_tokens": 27,
            "token_density": 0.9,
            "compression_ratio": 0.9,
            "estimated_cost_usd": 0.0003,
            "chars_per_token": 2.5,
        }
    )


def test_ocr_arguments_have_the_printed_names() -> None:
    assert spec.cer(ground_truth="INVOICE", predicted="INV0ICE") == misread.cer("INVOICE", "INV0ICE")
    assert spec.token_accuracy(ground_truth="a b", predicted="a").token_recall == 0.5
    assert spec.confusion_matrix(ground_truth="O", predicted="0").confusion_matrix == {"O": {"0": 1}}
    assert spec.sentence_error_rate(ground_truth_sentences=["a", "b"], predicted_sentences=["a"]).error_indices == [1]
    truth = {**INVOICE, "vendor": "Acme Corp"}
    fields = spec.field_extraction_f1(extracted_fields=INVOICE, ground_truth_fields=truth)
    assert (fields.field_precision, fields.missing_fields) == (1.0, ["vendor"])
    assert spec.evaluate_downstream_task("extraction", result=INVOICE, ground_truth=truth).quality_score == 0.75
    schema = {"required": ["total"]}
    assert spec.validate_json_output(ocr_output="{}", expected_schema=schema).completeness_score == 0
    assert spec.token_efficiency(ocr_output="Total: $150.00", tokenizer="gpt-4").total_tokens > 0


def test_ocr_output_format_says_what_an_answer_is_validated_as() -> None:
    element = '<xs:element name="{}" type="xs:string"/>'
    schema = (
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="invoice">'
        "<xs:complexType><xs:sequence>"
        f"{element.format('date')}{element.format('total')}"
        "</xs:sequence></xs:complexType></xs:element></xs:schema>"
    )
    answer = "<invoice><date>2024-03-15</date></invoice>"
    printed = {"ocr_output": answer, "expected_schema": schema, "output_format": "xml"}
    assert spec.validate_json_output(**printed) == spec.validate_xml_output(answer, schema)
    assert spec.validate_json_output(**printed).completeness_score == 0.5
    printed = {"ocr_output": "{}", "expected_schema": {"required": ["total"]}, "output_format": "json"}
    assert spec.validate_json_output(**printed) == validate_json_output("{}", {"required": ["total"]})
    with pytest.raises(UnknownNameError, match=r"unknown output format 'yaml'.* json"):
        spec.validate_json_output(ocr_output="{}", expected_schema={}, output_format="yaml")


@pytest.mark.parametrize("tokenizer", ["claude", "llama", "gpt-3.5-turbo", "text-davinci-003"])
def test_ocr_a_tokenizer_that_is_not_known_is_that_of_gpt4_with_a_warning(tokenizer: str) -> None:
    with pytest.warns(UserWarning, match=f"'{tokenizer}' has no price here: its tokens are counted by cl100k_base"):
        counted = spec.token_efficiency("Total: $150.00", tokenizer=tokenizer)
    assert counted == token_efficiency("Total: $150.00") == spec.token_efficiency("Total: $150.00", "gpt-4")
    with pytest.raises(LookupError):
        token_efficiency("Total: $150.00", model=tokenizer)


@pytest.mark.slow
def test_ocr_a_model_without_a_price_that_tiktoken_knows_has_its_own_encoding() -> None:
    text = "İstanbul'da 42 ölçü: 1.018,50 ₺"
    with pytest.warns(UserWarning, match="counted by o200k_base, at the price of gpt-4"):
        counted = spec.token_efficiency(text, model="o1")
    assert counted.total_tokens == spec.token_efficiency(text, model="gpt-4o").total_tokens
    assert counted.estimated_cost_usd == pytest.approx(counted.total_tokens / 1000 * 0.01)


def test_functions_with_printed_names_reach_another_process() -> None:
    assert all(pickle.loads(pickle.dumps(getattr(spec, name))) for name in spec.__all__)  # noqa: S301 - made here


def test_ocr_three_fields_of_four_do_not_succeed() -> None:
    found = spec.evaluate_downstream_task(
        "extraction", reference={**INVOICE, "vendor": "Acme Corp"}, hypothesis=INVOICE
    )
    assert (found.task_success, found.quality_score, found.error_type) == (False, 0.75, "extraction_incomplete")


# Evaluation Metrics (Thulium usage)


def test_usage_two_of_eleven_only_where_a_swap_costs_one() -> None:
    pair = "hello world", "helo wrold"
    assert percent(misread.cer(*pair)) == "27.27"
    swaps = misread.error_counts(*pair, alignment="transpositions")
    assert percent(swaps.errors[0] / swaps.reference_length[0]) == "18.18"


def test_usage_one_word_of_three() -> None:
    assert percent(misread.wer(reference="the quick fox", hypothesis="the fast fox")) == "33.33"


def test_usage_an_equal_sequence_has_no_error() -> None:
    assert f"SER: {misread.ser(reference='hello', hypothesis='hello')}" == "SER: 0.0"


def test_usage_the_batch_has_these_rates() -> None:
    batch_cer, batch_wer = spec.cer_wer_batch(["hello", "world", "test"], ["helo", "world", "tset"])
    assert (percent(batch_cer), percent(batch_wer)) == ("21.43", "66.67")


def test_usage_kitten_and_sitting() -> None:
    assert spec.edit_distance(reference="kitten", hypothesis="sitting") == 3


def test_usage_operations_are_read_by_attribute_and_by_name() -> None:
    found = spec.get_edit_operations(reference="hello", hypothesis="hallo")
    assert (found.substitutions, found.insertions, found.deletions, found.matches) == (1, 0, 0, 4)
    assert found["substitutions"] == found.substitutions


def test_usage_precision_recall_and_f1_of_counts() -> None:
    scores = spec.precision_recall_f1(true_positives=80, false_positives=10, false_negatives=20)
    assert [percent(score) for score in scores] == ["88.89", "80.00", "84.21"]


@pytest.mark.parametrize(
    ("rate", "name"),
    [(0.0099, "Excellent"), (0.01, "Good"), (0.03, "Acceptable"), (0.05, "Poor"), (0.1001, "Very Poor")],
)
def test_usage_words_for_the_quality(rate: float, name: str) -> None:
    assert QUALITY.name(rate) == name


# Text Similarity Metrics


def test_turkish_distances_of_texts_and_of_lists() -> None:
    assert spec.levenshtein_distance("kitten", "sitting") == 3
    assert spec.levenshtein_distance(["a", "b", "c"], ["a", "b", "d"]) == 1


def test_turkish_one_word_of_four() -> None:
    assert misread.wer("bu bir test cümlesidir", "bu bir test cümlesi") == 0.25


def test_turkish_two_of_twenty_three_characters() -> None:
    assert round(misread.cer("otomatik konuşma tanıma", "otomotik konuşma tanımla"), 3) == 0.087


def test_turkish_letters_and_their_case_are_told_apart() -> None:
    assert spec.edit_distance("Iı", "İi") == 2


def test_turkish_the_basic_example_has_these_numbers() -> None:
    pair = "Türkçe metin normalizasyonu önemlidir", "Türkçe metin normalizasyon önemli"
    assert f"{misread.wer(*pair):.4f} {misread.cer(*pair):.4f} {spec.edit_distance(*pair)}" == "0.5000 0.1081 4"


def test_turkish_numbers_in_words_change_the_rate() -> None:
    original = "Bu 42 sayısı önemlidir"
    normalized = spec.convert_numbers_to_words_wrapper(original)
    assert normalized == "Bu kırk iki sayısı önemlidir"
    hypothesis = "bu kırk iki sayısı önemli"
    rates = misread.wer(original, hypothesis), misread.wer(normalized, hypothesis)
    assert [f"{rate:.4f}" for rate in rates] == ["1.0000", "0.4000"]


def test_turkish_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="text is None, expected one text"):
        spec.convert_numbers_to_words_wrapper(None)  # type: ignore[arg-type]


def test_turkish_the_example_prints_every_line_of_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"reference_text": "Bu 42 sayısı önemlidir", "asr_output": "bu kırk iki sayısı önemli"}\n'
        '{"reference_text": "bir test", "asr_output": null}\n',
        encoding="utf-8",
    )
    examples = run_path(str(Path(__file__).parents[1] / "examples/process_asr_logs.py"))
    examples["main"]([str(log)])
    assert capsys.readouterr().out.splitlines() == [
        "WER: 1.0000, CER: 0.5455",
        "WER: 1.0000, CER: 1.0000",
        "all 2 lines: WER: 1.0000, CER: 0.6667",
    ]
    examples["main"]([str(log), "--normalizer", "turkish"])
    assert capsys.readouterr().out.startswith("WER: 0.2000, ")
