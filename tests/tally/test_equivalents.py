import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.data import from_columns
from misread.errors import ConfigurationError, InputFileError
from misread.evaluation import evaluate_table
from misread.normalize import get_normalizer
from misread.pipeline.crosscheck import CrossCheckSettings, cross_check
from misread.sockets import METRICS, get_metrics
from misread.tally import Equivalents, ScoredSystem, check_equivalents, read_alternatives
from misread.tally.equivalents import read_equivalents
from misread.text.alternatives import parse_alternatives, render_alternatives

SETS = [["going to", "gonna"], ["okay", "ok", "o k"]]
REFERENCES = ["we are going to go okay", "nothing here", "ok going nowhere"]


def evaluate(hypotheses, references=REFERENCES, **options):
    options = {"metrics": ["wer", "cer"], "seed": 1, "statistics": {"resamples": 99}, **options}
    sets = options.pop("equivalents", SETS)
    return evaluate_table(
        from_columns(references, {"a": hypotheses}), equivalents=None if sets is None else Equivalents(sets), **options
    )


@pytest.fixture
def write(tmp_path):
    def to_file(text):
        path = tmp_path / "spoken.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return to_file


def test_one_of_a_set_stands_for_another_in_word_errors_alone():
    hypotheses = ["we are gonna go o k", "nothing here", "okay going nowhere"]
    with_sets, without = evaluate(hypotheses), evaluate(hypotheses, equivalents=None)
    assert with_sets.systems["a"]["wer"].counts["errors"] == 0
    assert without.systems["a"]["wer"].counts["errors"] == 5
    assert with_sets.systems["a"]["cer"].counts == without.systems["a"]["cer"].counts
    # No reference is written otherwise.
    assert with_sets.segments["reference"].tolist() == REFERENCES


def test_what_is_read_wrong_stays_wrong():
    counts = evaluate(["we are gone go okay", "nothing", "ok gonna nowhere"]).systems["a"]["wer"].counts
    # "gone" is a substitution and not two errors, as the reference may read "gonna" there.
    assert (counts["substitutions"], counts["deletions"], counts["insertions"]) == (2, 1, 0)


def test_the_signature_of_word_rates_names_the_sets():
    result = evaluate(REFERENCES)
    assert f"|equivalents:{Equivalents(SETS).label}|" in str(result.systems["a"]["wer"].signature)
    assert "equivalents" not in str(result.systems["a"]["cer"].signature)
    assert Equivalents(SETS).label != Equivalents(SETS[:1]).label


def test_sclite_costs_may_read_them_as_well():
    result = evaluate(["we are gonna go ok", "nothing here", "ok going nowhere"], metrics="wer=wer(alignment=sclite)")
    assert result.systems["a"]["wer"].rate == 0


def test_marks_of_texts_are_no_notation():
    references = ["{ going to / (okay) @ \\\\"]
    assert evaluate(references, references=references).systems["a"]["wer"].rate == 0
    counts = evaluate(["{ gonna / (okay) @ \\\\"], references=references).systems["a"]["wer"].counts
    assert counts["errors"] == 0


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("going to go", "{ going to / gonna } go"),
        ("going gonna to", "going { gonna / going to } to"),
        ("so { okay / no } (ok)", "so { { okay / ok / o k } / no } (ok)"),
        ("", ""),
    ],
)
def test_alternatives_that_a_reference_has_stay(text, added):
    assert render_alternatives(Equivalents(SETS).add_to(parse_alternatives(text))) == added


@pytest.mark.parametrize(
    "heard",
    [
        "new york city",
        "nyc",
        "ny city",
        "recent york city",
        "new york town",
        "ny town",
        "new apple",
        "recent apple",
    ],
)
def test_of_phrases_that_overlap_those_count_that_fit_best(heard):
    sets = [
        ["new york", "ny"],
        ["new york city", "nyc"],
        ["new", "recent"],
        ["city", "town"],
        ["york city", "apple"],
    ]
    hypotheses = [f"in {heard} new"]
    counts = evaluate(hypotheses, ["in new york city recent"], equivalents=sets).systems["a"]["wer"].counts
    assert (counts["errors"], counts["length"]) == (0, len(hypotheses[0].split()))


def test_runs_of_phrases_that_overlap_are_one_unit_of_tests_and_others_stay_apart():
    sets = [["a b", "c"], ["b a", "d"], ["e f", "g"], ["f", "h"]]
    scored = evaluate(["x c d x g g"], ["x a b b a x e f e f"], equivalents=sets, metrics="wer").scored["a"]
    # x, a b, b a, x, e f, e f: no phrase goes over from one to the next.
    assert list(scored.alignments.words) == ["CCCCCC"]
    overlapping = evaluate(["c a b"], ["a b a b"], equivalents=sets, metrics="wer").scored["a"]
    assert list(overlapping.alignments.words) == ["C"]


PHRASES = st.lists(st.sampled_from("ab"), min_size=1, max_size=3).map(" ".join)
TEXTS = st.lists(st.sampled_from(["a", "b", "c0", "c1", "c2"]), max_size=8).map(" ".join)


@given(st.lists(PHRASES, min_size=1, max_size=3, unique=True), TEXTS, TEXTS, st.booleans())
def test_another_set_never_makes_more_errors(phrases, reference, hypothesis, in_notation):
    sets = [[phrase, f"c{number}"] for number, phrase in enumerate(phrases)]
    reference = f"{{ {reference or '@'} / b a }} {reference}" if in_notation else reference
    sides = "references" if in_notation else ""
    errors = [
        read_alternatives([reference], [hypothesis], sides, Equivalents(sets[:number])).counts.errors[0]
        for number in range(len(sets) + 1)
    ]
    assert errors == sorted(errors, reverse=True)


@given(st.lists(PHRASES, min_size=1, max_size=3, unique=True), TEXTS, TEXTS)
def test_the_fewest_errors_are_those_of_all_ways_to_read(phrases, reference, hypothesis):
    """Against every reading, each aligned by itself."""
    others = {tuple(phrase.split()): [f"c{number}"] for number, phrase in enumerate(phrases)}
    others |= {tuple(other): list(phrase) for phrase, other in others.items()}

    def readings(words):
        if not words:
            return [[]]
        ways = [[words[0], *rest] for rest in readings(words[1:])]
        for phrase, other in others.items():
            if tuple(words[: len(phrase)]) == phrase:
                ways += [[*other, *rest] for rest in readings(words[len(phrase) :])]
        return ways

    sets = Equivalents([[phrase, f"c{number}"] for number, phrase in enumerate(phrases)])
    counts = read_alternatives([reference], [hypothesis], "", sets).counts
    expected = min(Levenshtein.distance(words, hypothesis.split()) for words in readings(reference.split()))
    assert counts.errors[0] == expected


def test_a_check_by_jiwer_leaves_out_what_jiwer_does_not_know():
    from misread.normalize import normalize

    (capture,) = from_columns(["going to"], {"a": ["gonna"]}).captures().values()
    texts = normalize(capture, get_normalizer("none"))
    scored = ScoredSystem(texts, get_metrics(["wer", "cer"]), equivalents=Equivalents(SETS))
    assert scored.scores.counts["wer"].total[0] == 0
    assert cross_check(scored.scores, texts, scored.metrics, CrossCheckSettings(1)) == 1
    assert scored.confusions.facts["words"]["errors"] == 0


def test_a_file_has_a_set_in_each_line(write):
    read = read_equivalents(write("# spoken\ngoing to / gonna\n\nokay / ok / o k # all\n"))
    assert (read.name, [list(each) for each in read.sets]) == ("spoken", SETS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one\n", r"spoken\.txt, line 1: 'one' is not a set of equivalents; expected at least two"),
        ("a / b\na /\n", r"line 2: 'a /' is not a set"),
        ("a / b\nc / a\n", r"line 2: 'a' is in line 1 already"),
        ("a / a\n", r"line 1: 'a' is in line 1 already"),
        ("# nothing\n", "has no equivalents"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(write, text, message):
    with pytest.raises(InputFileError, match=message):
        read_equivalents(write(text))


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        (["ab"], "'ab' is not a set"),
        ([["a"]], "is not a set of at least two"),
        ([["a", " "]], "has an empty one"),
        ([["a", "b"], ["b", "c"]], "'b' occurs twice"),
    ],
)
def test_sets_that_cannot_be_used_are_named(sets, message):
    with pytest.raises(ConfigurationError, match=message):
        Equivalents(sets)


def test_sets_that_no_metric_or_text_can_have_are_refused():
    with pytest.raises(ConfigurationError, match="equivalents are for error rates of words in normalized text"):
        evaluate(REFERENCES, metrics="cer")
    with pytest.raises(
        ConfigurationError, match="normalizer 'lower' turns 'OK' into 'ok', so that no normalized text has it"
    ):
        check_equivalents(Equivalents([["OK", "fine"]]), get_normalizer("lower"), [METRICS["wer"]])
    with pytest.raises(ConfigurationError, match="equivalents are for error rates"):
        check_equivalents(Equivalents(SETS), get_normalizer("none"), [METRICS["wer_raw"]])


def test_confusions_and_alignments_are_those_of_the_reading_that_was_counted():
    references, hypotheses = ["we are going to go", "going to x"], ["we are gonna goo", "gonna x"]
    scored = evaluate(hypotheses, references=references).scored["a"]
    words = scored.confusions.confusions["word"]
    assert [(of.reference, of.hypothesis, of.count) for of in words] == [("go", "goo", 1)]
    # A phrase of a set is one unit, whatever was read there, so that tests of aligned words have the same units.
    assert list(scored.alignments.words) == ["CCCS", "CC"]
    facts = scored.alignments.facts
    assert f"|equivalents:{Equivalents(SETS).label}" in facts["words"]["signature"]
    assert "equivalents" not in facts["characters"]["signature"]
    assert facts["words"]["errors"] == scored.scores.counts["wer"]["errors"].sum()
