"""Metrics by their ids: which class each is, with which settings; a class is imported when its metric is asked for."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from misread.errors import ConfigurationError
from misread.metrics.base import Metric
from misread.sockets.plug import Plug
from misread.text.lazy_mapping import LazyMapping

_ERROR_RATE = Plug("misread.metrics.error_rate", "ErrorRate")
_MERGED_COMPOUNDS_RATE = Plug("misread.metrics.merged_compounds", "MergedCompoundsRate")
_NORMALIZED_DISTANCE = Plug("misread.metrics.error_rate", "NormalizedDistance")
_SEGMENT_ERROR_RATE = Plug("misread.metrics.segment_error_rate", "SegmentErrorRate")
_MATCH_RATE = Plug("misread.metrics.error_rate", "MatchRate")
_WORD_ACCURACY = Plug("misread.metrics.tokens", "WordAccuracy")
_BAG_OF_WORDS_ERROR = Plug("misread.metrics.tokens", "BagOfWordsError")
_TOKEN_MATCH = Plug("misread.metrics.tokens", "TokenMatch")
_TOKEN_POSITIONS = Plug("misread.metrics.tokens", "TokenPositions")
_LINE_ACCURACY = Plug("misread.metrics.lines", "LineAccuracy")
_EXACT_LINES = Plug("misread.metrics.lines", "ExactLines")
_FLAGGED_SEGMENTS = Plug("misread.features.flags.flag_rates", "FlaggedSegments")
_UNFLAGGED_ERROR_RATE = Plug("misread.features.flags.flag_rates", "UnflaggedErrorRate")
_LOOP_ERRORS = Plug("misread.features.flags.flag_rates", "LoopErrors")
_OMITTED_SEGMENTS = Plug("misread.features.flags.flag_rates", "OmittedSegments")
_COMPLETE_ERROR_RATE = Plug("misread.features.flags.flag_rates", "CompleteErrorRate")
_OMISSION_ERRORS = Plug("misread.features.flags.flag_rates", "OmissionErrors")
_SPEECH_COVERAGE = Plug("misread.features.flags.flag_rates", "SpeechCoverage")
_CALIBRATION = Plug("misread.features.confidence.metric", "Calibration")
_REVIEW_SHARE = Plug("misread.features.confidence.metric", "ReviewShare")
_MIXED_ERROR_RATE = Plug("misread.metrics.mixed", "MixedErrorRate")
_ORDER_ERROR_RATE = Plug("misread.metrics.tokens", "OrderErrorRate")
_SPEAKER_ERROR_RATE = Plug("misread.features.speakers", "SpeakerErrorRate")
_CORRECTION_BALANCE = Plug("misread.features.corrections.metric", "CorrectionBalance")
_PLAIN_ERROR_RATE = Plug("misread.features.punctuation.metric", "PlainErrorRate")
_PUNCTUATION_MATCH = Plug("misread.features.punctuation.metric", "PunctuationMatch")
_CASE_ERROR_RATE = Plug("misread.features.punctuation.metric", "CaseErrorRate")
_ORACLE_ERROR_RATE = Plug("misread.metrics.oracle", "OracleErrorRate")
_BIASING_ERROR_RATE = Plug("misread.features.word_classes.metric", "BiasingErrorRate")
_FREQUENCY_ERROR_RATE = Plug("misread.features.word_classes.metric", "FrequencyErrorRate")
_ENTITY_ERROR_RATE = Plug("misread.features.word_classes.metric", "EntityErrorRate")
_KEY_TERM_MATCH = Plug("misread.features.word_classes.items", "KeyTermMatch")
_NUMBER_ERROR_RATE = Plug("misread.features.word_classes.items", "NumberErrorRate")
_FIELD_MATCH = Plug("misread.features.answers.fields", "FieldMatch")
_STRUCTURED_ANSWERS = Plug("misread.features.answers.structured", "StructuredAnswers")
_REFUSALS = Plug("misread.features.answers.refusals", "Refusals")
_TABLE_SIMILARITY = Plug("misread.features.answers.html_tables", "TableSimilarity")
_DOWNSTREAM_TASK = Plug("misread.features.answers.downstream", "DownstreamTask")
_RECORDED_SCORE = Plug("misread.features.recorded_score", "RecordedScore")
_TOKEN_SCORE = Plug("misread.features.token_costs", "TokenScore")

_LISTED: Final[Mapping[str, Plug]] = {
    "cer": _ERROR_RATE.given(unit="char"),
    "ger": _ERROR_RATE.given(unit="grapheme"),
    "wer": _ERROR_RATE.given(unit="word"),
    "cer_raw": _ERROR_RATE.given(unit="char", text="raw"),
    "wer_raw": _ERROR_RATE.given(unit="word", text="raw"),
    # Errors over characters is how the specification defines it: cer by another name.
    "confusion_rate": _ERROR_RATE.given(unit="char"),
    "wer_merged_compounds": _MERGED_COMPOUNDS_RATE,
    "ned": _NORMALIZED_DISTANCE,
    "ser": _SEGMENT_ERROR_RATE,
    "ser_raw": _SEGMENT_ERROR_RATE.given(text="raw"),
    "mer": _MATCH_RATE.given(score="match_error_rate"),
    "wil": _MATCH_RATE.given(score="information_lost"),
    "wip": _MATCH_RATE.given(score="information_preserved"),
    "word_accuracy": _WORD_ACCURACY,
    "ncer": _MATCH_RATE.given(score="match_error_rate", unit="char"),
    "bag_of_words_error": _BAG_OF_WORDS_ERROR,
    "token_precision": _TOKEN_MATCH.given(score="precision"),
    "token_recall": _TOKEN_MATCH.given(score="recall"),
    "token_f1": _TOKEN_MATCH.given(score="f1"),
    "token_multiset_precision": _TOKEN_MATCH.given(score="precision", repeats="multiset"),
    "token_multiset_recall": _TOKEN_MATCH.given(score="recall", repeats="multiset"),
    "token_multiset_f1": _TOKEN_MATCH.given(score="f1", repeats="multiset"),
    "token_position_accuracy": _TOKEN_POSITIONS,
    "line_accuracy": _LINE_ACCURACY,
    "line_accuracy_raw": _LINE_ACCURACY.given(text="raw"),
    "reverse_line_accuracy": _LINE_ACCURACY.given(from_end=True),
    "reverse_line_accuracy_raw": _LINE_ACCURACY.given(text="raw", from_end=True),
    "exact_line_precision": _EXACT_LINES.given(score="precision"),
    "exact_line_recall": _EXACT_LINES.given(score="recall"),
    "exact_line_f1": _EXACT_LINES.given(score="f1"),
    "exact_line_precision_raw": _EXACT_LINES.given(score="precision", text="raw"),
    "exact_line_recall_raw": _EXACT_LINES.given(score="recall", text="raw"),
    "exact_line_f1_raw": _EXACT_LINES.given(score="f1", text="raw"),
    "flagged_segments": _FLAGGED_SEGMENTS,
    "cer_unflagged": _UNFLAGGED_ERROR_RATE.given(unit="char"),
    "wer_unflagged": _UNFLAGGED_ERROR_RATE.given(unit="word"),
    "loop_error_share": _LOOP_ERRORS,
    "omitted_segments": _OMITTED_SEGMENTS,
    "cer_complete": _COMPLETE_ERROR_RATE.given(unit="char"),
    "wer_complete": _COMPLETE_ERROR_RATE.given(unit="word"),
    "omission_error_share": _OMISSION_ERRORS,
    "speech_coverage": _SPEECH_COVERAGE,
    "normalized_cross_entropy": _CALIBRATION.given(score="normalized_cross_entropy"),
    "brier_score": _CALIBRATION.given(score="brier"),
    "expected_calibration_error": _CALIBRATION.given(score="expected_error"),
    "maximum_calibration_error": _CALIBRATION.given(score="maximum_error"),
    "review_share": _REVIEW_SHARE,
    "mixed_error_rate": _MIXED_ERROR_RATE,
    "order_error_rate": _ORDER_ERROR_RATE,
    "cp_wer": _SPEAKER_ERROR_RATE,
    "tcp_wer": _SPEAKER_ERROR_RATE.given(rate_of="timed_permutation"),
    "orc_wer": _SPEAKER_ERROR_RATE.given(rate_of="turns"),
    "attribution_error_rate": _SPEAKER_ERROR_RATE.given(rate_of="attribution"),
    "error_reduction": _CORRECTION_BALANCE.given(score="error_reduction"),
    "corrected_words": _CORRECTION_BALANCE.given(score="corrected_words"),
    "damaged_words": _CORRECTION_BALANCE.given(score="damaged_words"),
    "improved_segments": _CORRECTION_BALANCE.given(score="improved_segments"),
    "worsened_segments": _CORRECTION_BALANCE.given(score="worsened_segments"),
    "wer_without_punctuation": _PLAIN_ERROR_RATE.given(unit="word", without="punctuation"),
    "wer_without_case": _PLAIN_ERROR_RATE.given(unit="word", without="case"),
    "wer_without_both": _PLAIN_ERROR_RATE.given(unit="word", without="both"),
    "punctuation_precision": _PUNCTUATION_MATCH.given(score="precision"),
    "punctuation_recall": _PUNCTUATION_MATCH.given(score="recall"),
    "punctuation_f1": _PUNCTUATION_MATCH,
    "case_error_rate": _CASE_ERROR_RATE,
    "oracle_cer": _ORACLE_ERROR_RATE.given(unit="char"),
    "oracle_wer": _ORACLE_ERROR_RATE.given(unit="word"),
    "b_wer": _BIASING_ERROR_RATE.given(part="inside"),
    "u_wer": _BIASING_ERROR_RATE.given(part="outside"),
    "rare_word_error_rate": _FREQUENCY_ERROR_RATE,
    "entity_error_rate": _ENTITY_ERROR_RATE,
    "number_error_rate": _NUMBER_ERROR_RATE,
    "field_precision": _FIELD_MATCH.given(score="precision"),
    "field_recall": _FIELD_MATCH.given(score="recall"),
    "field_f1": _FIELD_MATCH.given(score="f1"),
    "refusals": _REFUSALS.given(text="raw"),
    "json_validity": _STRUCTURED_ANSWERS.given(answer_format="json", score="validity"),
    "json_compliance": _STRUCTURED_ANSWERS.given(answer_format="json", score="compliance"),
    "json_completeness": _STRUCTURED_ANSWERS.given(answer_format="json", score="completeness"),
    "xml_validity": _STRUCTURED_ANSWERS.given(answer_format="xml", score="validity"),
    "xml_compliance": _STRUCTURED_ANSWERS.given(answer_format="xml", score="compliance"),
    "xml_completeness": _STRUCTURED_ANSWERS.given(answer_format="xml", score="completeness"),
    "teds": _TABLE_SIMILARITY,
    "teds_structure": _TABLE_SIMILARITY.given(content=False),
    "teds_nodes": _TABLE_SIMILARITY.given(size="nodes"),
    "teds_nodes_structure": _TABLE_SIMILARITY.given(content=False, size="nodes"),
    "extraction_success": _DOWNSTREAM_TASK.given(task="extraction"),
    "qa_success": _DOWNSTREAM_TASK.given(task="qa"),
    "qa_anls": _DOWNSTREAM_TASK.given(task="qa", score="anls"),
    "classification_success": _DOWNSTREAM_TASK.given(task="classification"),
    "token_density": _TOKEN_SCORE.given(score="density"),
    "compression_ratio": _TOKEN_SCORE.given(score="compression"),
    "chars_per_token": _TOKEN_SCORE.given(score="characters"),
    "token_cost": _TOKEN_SCORE.given(score="cost"),
    "recorded": _RECORDED_SCORE,
}

NAMES: Final[Mapping[str, Plug]] = {
    **_LISTED,
    "key_term_precision": _KEY_TERM_MATCH.given(score="precision"),
    "key_term_recall": _KEY_TERM_MATCH.given(score="recall"),
    "key_term_f1": _KEY_TERM_MATCH,
    "key_term_cer": Plug("misread.features.word_classes.items", "KeyTermErrorRate"),
    "judged": Plug("misread.features.judges.judged", "RecordedJudge"),
}
"""All names of metrics: those of `METRICS`, and those that mean nothing without a setting, `judged(file=...)`."""


@cache
def _make_metric(name: str) -> Metric:
    metric: Metric = _LISTED[name].load()(name, **_LISTED[name].settings)
    return metric


METRICS: Final[Mapping[str, Metric]] = LazyMapping(_LISTED, _make_metric)
"""All built-in metrics by id, each made at its first use."""


def require_companions(metrics: Sequence[Metric]) -> None:
    """Refuse a metric that leaves segments out unless the metric on all segments is there too."""
    names = {metric.name or metric.id for metric in metrics}
    for metric in metrics:
        if metric.requires_metric and metric.requires_metric not in names:
            raise ConfigurationError(
                f"{metric.id} leaves segments out; name {metric.requires_metric} as well, so that nobody takes it "
                "for the rate of all."
            )
