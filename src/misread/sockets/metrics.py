"""Metrics known by their ids, each with its settings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from misread.alignment import AlignmentPolicy
from misread.errors import ConfigurationError
from misread.features.answers import DownstreamTask, FieldMatch, StructuredAnswers, TableSimilarity
from misread.features.confidence import Calibration, ReviewShare
from misread.features.corrections import CorrectionBalance
from misread.features.made_up_text import FlaggedSegments, LoopErrors, UnflaggedErrorRate
from misread.features.punctuation import CaseErrorRate, PlainErrorRate, PunctuationMatch
from misread.features.speakers import SpeakerErrorRate
from misread.features.token_costs import TokenScore
from misread.features.word_classes import BiasingErrorRate, ClassErrorRate, EntityErrorRate, FrequencyErrorRate
from misread.io.checks.choices import check_choice
from misread.metrics.base import Metric
from misread.metrics.error_rate import ErrorRate
from misread.metrics.flexible import FlexibleAccuracy
from misread.metrics.lines import ExactLines, LineAccuracy
from misread.metrics.match_rates import MatchRate
from misread.metrics.merged_compounds import MergedCompoundsRate
from misread.metrics.mixed import MixedErrorRate
from misread.metrics.normalized_distance import NormalizedDistance
from misread.metrics.oracle import OracleErrorRate
from misread.metrics.segments import SegmentErrorRate
from misread.metrics.tokens import BagOfWordsError, OrderErrorRate, TokenMatch, TokenPositions
from misread.metrics.word_accuracy import WordAccuracy

METRICS: Mapping[str, Metric] = {
    metric.id: metric
    for metric in (
        ErrorRate("cer", "char"),
        ErrorRate("ger", "grapheme"),
        ErrorRate("wer", "word"),
        ErrorRate("cer_raw", "char", text="raw"),
        ErrorRate("wer_raw", "word", text="raw"),
        # Errors over characters is how the specification defines it: cer by another name.
        ErrorRate("confusion_rate", "char"),
        MergedCompoundsRate("wer_merged_compounds"),
        NormalizedDistance("ned"),
        SegmentErrorRate("ser"),
        SegmentErrorRate("ser_raw", text="raw"),
        MatchRate("mer", "match_error_rate"),
        MatchRate("wil", "information_lost"),
        MatchRate("wip", "information_preserved"),
        WordAccuracy("word_accuracy"),
        MatchRate("ncer", "match_error_rate", "char"),
        BagOfWordsError("bag_of_words_error"),
        TokenMatch("token_precision", "precision"),
        TokenMatch("token_recall", "recall"),
        TokenMatch("token_f1", "f1"),
        TokenMatch("token_multiset_precision", "precision", "multiset"),
        TokenMatch("token_multiset_recall", "recall", "multiset"),
        TokenMatch("token_multiset_f1", "f1", "multiset"),
        TokenPositions("token_position_accuracy"),
        LineAccuracy("line_accuracy"),
        LineAccuracy("line_accuracy_raw", text="raw"),
        LineAccuracy("reverse_line_accuracy", from_end=True),
        LineAccuracy("reverse_line_accuracy_raw", text="raw", from_end=True),
        ExactLines("exact_line_precision", "precision"),
        ExactLines("exact_line_recall", "recall"),
        ExactLines("exact_line_f1", "f1"),
        ExactLines("exact_line_precision_raw", "precision", text="raw"),
        ExactLines("exact_line_recall_raw", "recall", text="raw"),
        ExactLines("exact_line_f1_raw", "f1", text="raw"),
        FlaggedSegments("flagged_segments"),
        UnflaggedErrorRate("cer_unflagged", "char"),
        UnflaggedErrorRate("wer_unflagged", "word"),
        LoopErrors("loop_error_share"),
        Calibration("normalized_cross_entropy", "normalized_cross_entropy"),
        Calibration("brier_score", "brier"),
        Calibration("expected_calibration_error", "expected_error"),
        Calibration("maximum_calibration_error", "maximum_error"),
        ReviewShare("review_share"),
        MixedErrorRate("mixed_error_rate"),
        FlexibleAccuracy("flexible_character_accuracy"),
        OrderErrorRate("order_error_rate"),
        SpeakerErrorRate("cp_wer"),
        SpeakerErrorRate("tcp_wer", "timed_permutation"),
        SpeakerErrorRate("orc_wer", "turns"),
        SpeakerErrorRate("attribution_error_rate", "attribution"),
        CorrectionBalance("error_reduction", "error_reduction"),
        CorrectionBalance("corrected_words", "corrected_words"),
        CorrectionBalance("damaged_words", "damaged_words"),
        CorrectionBalance("improved_segments", "improved_segments"),
        CorrectionBalance("worsened_segments", "worsened_segments"),
        PlainErrorRate("wer_without_punctuation", "word", "punctuation"),
        PlainErrorRate("wer_without_case", "word", "case"),
        PlainErrorRate("wer_without_both", "word", "both"),
        PunctuationMatch("punctuation_precision", "precision"),
        PunctuationMatch("punctuation_recall", "recall"),
        PunctuationMatch("punctuation_f1"),
        CaseErrorRate("case_error_rate"),
        OracleErrorRate("oracle_cer", "char"),
        OracleErrorRate("oracle_wer", "word"),
        BiasingErrorRate("b_wer", part="inside"),
        BiasingErrorRate("u_wer", part="outside"),
        FrequencyErrorRate("rare_word_error_rate"),
        EntityErrorRate("entity_error_rate"),
        FieldMatch("field_precision", "precision"),
        FieldMatch("field_recall", "recall"),
        FieldMatch("field_f1", "f1"),
        StructuredAnswers("json_validity", "json", "validity"),
        StructuredAnswers("json_compliance", "json", "compliance"),
        StructuredAnswers("json_completeness", "json", "completeness"),
        StructuredAnswers("xml_validity", "xml", "validity"),
        StructuredAnswers("xml_compliance", "xml", "compliance"),
        StructuredAnswers("xml_completeness", "xml", "completeness"),
        TableSimilarity("teds"),
        TableSimilarity("teds_structure", content=False),
        TableSimilarity("teds_nodes", size="nodes"),
        TableSimilarity("teds_nodes_structure", content=False, size="nodes"),
        DownstreamTask("extraction_success", "extraction"),
        DownstreamTask("qa_success", "qa"),
        DownstreamTask("qa_anls", "qa", "anls"),
        DownstreamTask("classification_success", "classification"),
        TokenScore("token_density", "density"),
        TokenScore("compression_ratio", "compression"),
        TokenScore("chars_per_token", "characters"),
        TokenScore("token_cost", "cost"),
    )
}


_ALIGNED = (ErrorRate, ClassErrorRate, Calibration, ReviewShare)
"""Metrics whose alignment can be chosen."""


def get_metric(name: str) -> Metric:
    """Look one metric up by its name."""
    check_choice("metric", name, METRICS)
    return METRICS[name]


def get_metrics(names: Sequence[str]) -> list[Metric]:
    """Look metrics up by name, in the order given."""
    chosen = [get_metric(name) for name in names]
    check_beside(chosen)
    return chosen


def check_beside(metrics: Sequence[Metric]) -> None:
    """Refuse a metric that leaves segments out where the one of all segments is not beside it."""
    ids = {metric.id for metric in metrics}
    for metric in metrics:
        if metric.beside and metric.beside not in ids:
            raise ConfigurationError(
                f"{metric.id} leaves segments out; name {metric.beside} beside it, so that nobody takes it for the "
                "rate of all."
            )


def align_by(metrics: Sequence[Metric], alignment: AlignmentPolicy) -> list[Metric]:
    """The same metrics, with those that align so aligned by this rule; raises ConfigurationError if there is none."""
    if not any(isinstance(metric, _ALIGNED) for metric in metrics):
        raise ConfigurationError(
            f"alignment {alignment!r} is for error rates; name one among the metrics, such as wer."
        )
    return [replace(metric, alignment=alignment) if isinstance(metric, _ALIGNED) else metric for metric in metrics]
