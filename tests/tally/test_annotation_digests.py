import pytest

import misread
from misread.errors import NotComparableError
from misread.revisions.pairing import pair_segments
from misread.sockets import METRICS
from misread.tally.annotation_digests import add_sums

REFERENCES, HYPOTHESES = ["Ann met Bo", "x y"], {"a": ["Ann met Bob", "x y"]}
TURNS = [{"speaker": "A", "words": "Ann met Bo"}]
ANNOTATIONS = {
    "entity_error_rate": ("entities", [[["PERSON"], [], ["PERSON"]], [[], []]], [[[], [], ["PERSON"]], [[], []]]),
    "b_wer": ("biasing", [["Bo"], []], [["Ann"], []]),
    "corrected_words": ("ocr", ["Ann met 80", "x y"], ["Ann met Bo", "x y"]),
}


def scored(metric, **annotations):
    return (
        misread.evaluate(REFERENCES, HYPOTHESES, metrics=[metric, "wer"], annotations=annotations, seed=1, resamples=99)
        .scored["a"]
        .scores
    )


@pytest.mark.parametrize("metric", ANNOTATIONS)
def test_other_annotations_give_another_signature_which_a_difference_names(metric):
    name, first, second = ANNOTATIONS[metric]
    before, after = (scored(metric, **{name: values}) for values in (first, second))
    assert before.signatures[metric] == scored(metric, **{name: first}).signatures[metric]
    assert before.signatures[metric].facts["annotations"].startswith(f"{name}@")
    assert before.signatures["wer"] == after.signatures["wer"]
    with pytest.raises(
        NotComparableError, match=rf"{metric} was scored under different settings \(annotations: {name}@"
    ):
        pair_segments("a", before, after, [metric])


def test_the_order_of_segments_makes_no_difference():
    name, values, _ = ANNOTATIONS["b_wer"]
    before = scored("b_wer", **{name: values})
    after = misread.evaluate(
        REFERENCES[::-1],
        {"a": HYPOTHESES["a"][::-1]},
        ids=["2", "1"],
        metrics=["b_wer"],
        annotations={name: values[::-1]},
        seed=1,
        resamples=99,
    )
    assert after.scored["a"].scores.signatures["b_wer"] == before.signatures["b_wer"]


def test_metrics_name_what_they_ask_the_references_for():
    named = {metric_id: metric.reference_annotations for metric_id, metric in METRICS.items()}
    assert named["cp_wer"] == named["orc_wer"] == ("reference_turns",)
    # Those of hypotheses differ from system to system, as their texts do.
    assert named["oracle_wer"] == named["brier_score"] == ()


def test_sums_of_parts_are_added_without_growing():
    first, second = {"b_wer": {"biasing": 2**64 - 1, "ocr": 5}}, {"b_wer": {"biasing": 3}, "u_wer": {"biasing": 7}}
    assert add_sums(first, second) == {"b_wer": {"biasing": 2, "ocr": 5}, "u_wer": {"biasing": 7}}
