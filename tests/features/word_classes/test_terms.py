"""Terms of a list and numbers: counts against programs that only compare words, and what is said about them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.data import from_columns
from misread.errors import InputFileError, UnknownNameError
from misread.evaluation import evaluate_table
from misread.features.word_classes import KeyTermErrorRate, KeyTermMatch, NumberErrorRate
from misread.features.word_classes.terms import read_terms
from misread.metrics import ScoredText
from misread.sockets.metric_names import get_metric

LIST = ["new york/nyc/the big apple", "york", "a b a", "a/b c", r"km\/h"]
VARIANTS = [["new york", "nyc", "the big apple"], ["york"], ["a b a"], ["a", "b c"], ["km/h"]]
WORDS = ["new", "york", "nyc", "the", "big", "apple", "a", "b", "c", "km/h", "yorc", "\U000f00003"]
TEXTS = st.lists(st.tuples(*[st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)] * 2), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("terms") / "terms.txt"
    path.write_text("\n".join(LIST) + "\n\n", encoding="utf-8")
    return path


def tokens(text):
    """Words and numbers of terms, by trying every variant at every word."""
    words, made = text.split(), []
    while words:
        starting = [
            (len(variant.split()), term)
            for term, variants in enumerate(VARIANTS)
            for variant in variants
            if f"{' '.join(words)} ".startswith(f"{variant} ")
        ]
        size, term = max(starting, default=(1, words[0]))
        made.append(term)
        words = words[size:]
    return made


def pairs_by_hand(reference, hypothesis):
    """Token of either side of every operation of an alignment by another package; None for none."""
    for tag, start, stop, begin, end in Levenshtein.opcodes(reference, hypothesis):
        sides = reference[start:stop], hypothesis[begin:end]
        if tag in ("equal", "replace"):
            yield from zip(*sides, strict=True)
        else:
            yield from ((token, None) for token in sides[0])
            yield from ((None, token) for token in sides[1])


@given(TEXTS)
def test_terms_are_counted_as_by_hand(file, texts):
    expected = []
    for reference, hypothesis in texts:
        pairs = [
            [token if isinstance(token, int) else None for token in pair] + [pair[0] == pair[1]]
            for pair in pairs_by_hand(tokens(reference), tokens(hypothesis))
        ]
        columns = [sum(equal and term is not None for term, _, equal in pairs)]
        expected.append(columns + [sum(pair[side] is not None for pair in pairs) for side in (0, 1)])
    scored = ScoredText(*map(list, zip(*texts, strict=True)))
    counts = KeyTermMatch("x", terms=file).count(scored)
    assert counts.tolist() == expected
    matches, references, hypotheses = counts.sum(axis=0).tolist()
    for score, rate in (
        ("recall", (matches, references)),
        ("precision", (matches, hypotheses)),
        ("f1", (2 * matches, references + hypotheses)),
    ):
        value = KeyTermMatch("x", terms=file, score=score).rate(counts.sum(axis=0))
        assert value == rate[0] / rate[1] if rate[1] else np.isnan(value)


def errors_by_hand(reference, hypothesis):
    """Errors of characters in terms, operation by operation, and the characters."""
    sides = [
        [(VARIANTS[token][0] if isinstance(token, int) else token, isinstance(token, int)) for token in tokens(text)]
        for text in (reference, hypothesis)
    ]
    texts = [" ".join(word for word, _ in side) for side in sides]
    term_of = " ".join(chr(number if is_term else 0) * len(word) for number, (word, is_term) in enumerate(sides[0], 1))
    term_of = [0 if mark == " " else ord(mark) for mark in term_of]
    for number, (word, _) in enumerate(sides[0], 1):
        if number in term_of:
            start = term_of.index(number)
            term_of[start : start + len(word)] = [number] * len(word)
    errors = 0
    for tag, start, stop, begin, end in Levenshtein.opcodes(*texts):
        if tag in ("replace", "delete"):
            errors += sum(mark > 0 for mark in term_of[start:stop])
        elif tag == "insert":
            left, right = ([0, *term_of, 0][start + side] for side in (0, 1))
            inserted = texts[1][begin:end]
            if left and left == right:
                errors += len(inserted)
            else:
                first, *others = inserted.split(" ")
                errors += len(first) * bool(left or (right and not others))
                errors += len(others[-1]) * bool(right) if others else 0
    return errors, sum(mark > 0 for mark in term_of)


@given(TEXTS)
def test_characters_in_terms_are_counted_as_by_hand(file, texts):
    counts = KeyTermErrorRate("x", terms=file).count(ScoredText(*map(list, zip(*texts, strict=True))))
    assert counts[:, :2].tolist() == [list(errors_by_hand(*pair)) for pair in texts]
    assert (counts[:, 0] == counts[:, 3:].sum(axis=1)).all()
    assert (counts[:, 1] == counts[:, 2:5].sum(axis=1)).all()


def test_a_letter_at_the_end_of_a_term_is_an_error_in_it_and_a_word_after_it_is_none(file):
    counts = KeyTermErrorRate("x", terms=file).count(
        ScoredText(["in york", "in york", "in new york"], ["in yorks", "in york once", "in nyc"])
    )
    assert counts[:, :2].tolist() == [[1, 4], [0, 4], [0, 8]]


NUMBERS = {
    **dict.fromkeys(("21", "twenty one"), 21), **dict.fromkeys(("1,000.50", "1000.5"), 1000.5),
    **dict.fromkeys(("-5", "minus five"), -5), ".5": 0.5, **dict.fromkeys(("$5", "5", "five", "5%"), 5), "1990s": 1990,
    **dict.fromkeys(("3rd", "third"), 3), **dict.fromkeys(("0012", "12.0"), 12), "2,5": 25, "house": None, "no": None
}  # fmt: skip
NUMBERED = st.lists(st.sampled_from([*NUMBERS.items()]), max_size=6)


@given(st.lists(st.tuples(NUMBERED, NUMBERED), min_size=1, max_size=4))
def test_numbers_are_counted_as_by_hand(rows):
    expected = []
    texts = [[" and ".join(text for text, _ in side) for side in row] for row in rows]
    for row in rows:
        # Endings of ordinals and decades are words.
        sides = []
        for side in row:
            made = []
            for text, value in side:
                ending = {"1990s": ["s"], "3rd": ["rd"], "third": ["rd"]}.get(text, [])
                made += ["and", text if value is None else float(value), *ending]
            sides.append(made[1:])
        pairs = list(pairs_by_hand(*sides))
        is_number = [[isinstance(token, float) for token in pair] for pair in pairs]
        right = sum(pair[0] == pair[1] and flags[0] for pair, flags in zip(pairs, is_number, strict=True))
        wrong = sum(all(flags) for flags in is_number) - right
        missing = sum(flags == [True, False] for flags in is_number)
        added = sum(flags == [False, True] for flags in is_number)
        expected.append([wrong + missing + added, right + wrong + missing, right, wrong, missing, added])
    counts = NumberErrorRate("x").count(ScoredText(*map(list, zip(*texts, strict=True))))
    assert counts.tolist() == expected


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors"),
    [
        ("Nr. 1.000 und \u22123,5", "Nr. 1.000 und -3,5", 0),
        ("0.50 -.5", ".5 -0.5", 0),
        ("1.000", "1", 1),
        ("1.234.567,50 und 3,5", "1,234,567.5 und 3.5", 0),
        ("1.125 0.125", "1,125 0,125", 0),
        ("10.1.2020", "10.10.2020", 1),
        ("\u0663", "3", 0),
        ("five", "5", 1),
        ("12345678901234567890123", "12345678901234567890124", 1),
    ],
)
def test_digits_alone_are_numbers_in_other_languages(reference, hypothesis, errors):
    assert NumberErrorRate("x", language="none").count(ScoredText([reference], [hypothesis]))[0, 0] == errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no term"),
        ("a\nb//c\n", "line 2: a variant is empty"),
        ("a\nb/a\n", "line 2: 'a' is in line 1, too"),
        ("a  b/a b\n", "line 1: 'a b' is in line 1, too"),
    ],
)
def test_a_file_of_terms_that_is_none_is_refused_with_the_line(tmp_path, text, message):
    path = tmp_path / "terms.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=message):
        read_terms(path)


def test_the_digest_of_the_terms_is_in_the_signature_and_a_changed_file_changes_it(tmp_path):
    path = tmp_path / "drugs.txt"
    signatures = []
    for text in ("a\n", "a/b\n"):
        path.write_text(text, encoding="utf-8")
        metric = get_metric(f"key_term_f1(terms={path})")
        signatures.append(str(metric.signature("none")))
        assert f"words:terms@{metric.term_list.digest}" in signatures[-1]
        assert metric.id == "key_term_f1_drugs"
    assert signatures[0] != signatures[1]
    with pytest.raises(UnknownNameError, match="transpositions"):
        get_metric(f"key_term_f1(terms={path},alignment=transpositions)")
    with pytest.raises(InputFileError, match="missing"):
        get_metric("key_term_f1(terms=missing.txt)")


def test_terms_in_another_case_or_with_punctuation_are_doubts(file):
    metric = KeyTermMatch("f1", terms=file)
    survey = metric.survey(ScoredText(["York, New York; km/h."], [""]))
    (doubt,) = metric.doubts(survey, "a")
    assert doubt.sentence.startswith("3 of the 5 terms of f1 are in the references only in another case or with punc")
    assert doubt.quotes
    assert not metric.doubts(metric.survey(ScoredText(["York, york"], [""])), "a")


def test_lists_without_a_term_in_the_texts_are_not_called_empty_references(misread, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("ref", "In York, 5"), ("a", "In York"), ("b", "In")):
        (tmp_path / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    (tmp_path / "terms.txt").write_text("york\n", encoding="utf-8")
    done = misread("score", "ref.txt", "a.txt", "b.txt", "--metrics", "key_term_f1(terms=terms.txt)")
    assert "key_term_f1_terms: the texts have nothing that it counts, so that no rate is defined" in done.err
    assert "1 of the 1 terms of key_term_f1_terms are in the references only in another case" in done.err
    done = misread("score", "ref.txt", "a.txt", "b.txt", "--metrics", "number_error_rate,key_term_f1(terms=terms.txt)")
    assert "(rate undefined: the texts have nothing that it counts)" in " ".join(done.out.split())


def test_terms_are_a_view_with_tests_and_intervals_of_their_rates(file):
    texts = ["in new york today", "a house in york", "km/h"] * 4
    outputs = {"a": ["in nyc today", "a house in yorc", "km/h"] * 4, "b": ["in york today", "a house", "km/h york"] * 4}
    table = from_columns(texts, outputs, clusters=[*"abcdefghijkl"])
    made = evaluate_table(table, metrics=[get_metric(f"key_term_recall(terms={file})")], seed=1)
    view = made.view("terms")
    assert view[["system", "term", "read", "missed", "made_up"]].values.tolist() == [
        ["a", "york", 0, 4, 0],
        ["a", "new york", 4, 0, 0],
        ["a", "a", 4, 0, 0],
        ["a", "km/h", 4, 0, 0],
        ["b", "york", 0, 4, 8],
        ["b", "new york", 0, 4, 0],
        ["b", "a", 4, 0, 0],
        ["b", "km/h", 4, 0, 0],
    ]
    id_ = "key_term_recall_terms"
    assert made.systems["a"][id_].rate == 12 / 16
    assert made.systems["a"][id_].confidence_interval.low < 12 / 16
    assert made.pairs["b", "a"][id_].difference == pytest.approx(4 / 16)


def test_the_view_says_where_its_terms_come_from(misread):
    done = misread("score", "--example", "--metrics", "wer", "--view", "terms")
    assert "takes its terms from key_term_f1(terms=FILE)" in done.err
    assert (
        "means nothing without a setting: key_term_cer(terms=FILE)"
        in misread("score", "--example", "--metrics", "key_term_cer").err
    )
