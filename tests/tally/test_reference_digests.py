import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data import from_columns, with_annotations
from misread.errors import NotComparableError
from misread.evaluation import evaluate_table
from misread.revisions.matching import pair_segments
from misread.sockets import METRICS
from misread.tally.reference_digests import ReferenceDigests, sign_annotations
from misread.text.arrow import ArrowTexts

TEXTS = st.lists(st.text(st.characters(codec=None), max_size=300), max_size=5)


def fnv_1a(data):
    """As the definition has it, without a limit of 64 bits until the end of a step."""
    digest = 0xCBF29CE484222325
    for byte in data:
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return digest


def folded(digest):
    return f"{(digest >> 48) ^ (digest % 2**48):012x}"


# Of the test cases of its authors.
@pytest.mark.parametrize(
    ("text", "digest"), [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C), ("foobar", 0x85944171F73967E8)]
)
def test_published_values(text, digest):
    assert fnv_1a(text.encode()) == digest
    assert list(ReferenceDigests([text])) == [folded(digest)]


@given(TEXTS)
def test_every_reference_has_the_digest_of_its_utf_8_bytes(either_way, references):
    expected = [folded(fnv_1a(text.encode("utf-8", "surrogatepass"))) for text in references]
    digests = ReferenceDigests(references)
    assert either_way(lambda: list(ReferenceDigests(references))) == (expected, expected)
    assert digests == expected
    assert len(digests) == len(references)


@given(st.lists(st.text(max_size=300), max_size=5))
def test_texts_of_arrow_have_the_digests_of_python_strings(references):
    arrow = ArrowTexts(pa.array(["other", *references], pa.string()), "references")[1:]
    assert list(ReferenceDigests(arrow)) == list(ReferenceDigests(references))
    assert pa.array(ReferenceDigests(arrow), pa.string()).to_pylist() == list(ReferenceDigests(references))


@given(TEXTS, TEXTS)
def test_digests_are_equal_where_texts_are(first, second):
    assert (ReferenceDigests(first) == ReferenceDigests(second)) == (first == second)
    assert ReferenceDigests(first) == ReferenceDigests(list(first))


REFERENCES, HYPOTHESES = ["Ann met Bo", "x y"], {"a": ["Ann met Bob", "x y"]}
TURNS = [{"speaker": "A", "words": "Ann met Bo"}]
ANNOTATIONS = {
    "entity_error_rate": ("entities", [[["PERSON"], [], ["PERSON"]], [[], []]], [[[], [], ["PERSON"]], [[], []]]),
    "b_wer": ("biasing", [["Bo"], []], [["Ann"], []]),
    "corrected_words": ("ocr", ["Ann met 80", "x y"], ["Ann met Bo", "x y"]),
}


def scored(metric, **annotations):
    table = with_annotations(from_columns(REFERENCES, HYPOTHESES), annotations)
    made = evaluate_table(table, metrics=[metric, "wer"], seed=1, statistics={"resamples": 99})
    return made.scored["a"].scores


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
    table = from_columns(REFERENCES[::-1], {"a": HYPOTHESES["a"][::-1]}, ids=["2", "1"])
    table = with_annotations(table, {name: values[::-1]})
    after = evaluate_table(table, metrics=["b_wer"], seed=1, statistics={"resamples": 99})
    assert after.scored["a"].scores.signatures["b_wer"] == before.signatures["b_wer"]


def test_metrics_name_what_they_ask_the_references_for():
    named = {metric_id: metric.reference_annotations for metric_id, metric in METRICS.items()}
    assert named["cp_wer"] == named["orc_wer"] == ("reference_turns",)
    # Those of hypotheses differ from system to system, as their texts do.
    assert named["oracle_wer"] == named["brier_score"] == ()


def test_sums_that_differ_by_whole_turns_of_64_bits_are_signed_alike():
    signatures = {"b_wer": METRICS["b_wer"].signature("none")}
    total = 0xFEDCBA9876543210
    first, second = (sign_annotations(signatures, {"b_wer": {"biasing": total + turns * 2**64}}) for turns in (0, 3))
    assert first == second
    assert first["b_wer"].facts["annotations"] == "biasing@fedcba98"
