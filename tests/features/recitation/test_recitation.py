"""Systems that recite an edition are told from systems that read well."""

import json

import pytest
from tests.features.recitation.made_readers import edit, make_pages, read, recite

from misread import evaluate
from misread.errors import UndefinedResultError

PAGES, LABELS = make_pages()
EDITION = edit(PAGES, 0.03)
READERS = {"a": read(PAGES, 0.05, 1), "b": read(PAGES, 0.05, 2), "c": read(PAGES, 0.05, 3)}
RECITER = recite(EDITION, PAGES, READERS["a"])


def look(systems, references=EDITION, clusters=LABELS, **options):
    settings = {"metrics": "wer", "seed": 1, "statistics": {"resamples": 99}, **options}
    return evaluate(references, systems, clusters=clusters, **settings).find_recitation()


@pytest.fixture(scope="module")
def recited():
    return look({"a": RECITER, "b": READERS["b"], "c": READERS["c"]})


def test_a_system_that_recites_is_suspicious_and_no_other(recited):
    assert {name for name, described in recited.systems.items() if described.is_suspicious} == {"a"}
    described = recited.systems["a"]
    repaired = sum(
        edited != printed
        for texts in zip(EDITION, PAGES, strict=True)
        for edited, printed in zip(*map(str.split, texts), strict=True)
    )
    assert 0.8 * repaired < described.unparalleled <= repaired
    assert described.ratio == pytest.approx(described.unparalleled / described.expected)
    assert described.pvalue < 0.001
    assert described.adjusted_pvalue >= described.pvalue
    assert recited.unit == "cluster"


def test_what_it_recites_is_listed_by_word_and_by_document(recited):
    described = recited.systems["a"]
    assert len(described.words) == described.unparalleled
    for word in described.words:
        row = int(word.segment_id) - 1
        assert RECITER[row][word.start : word.end] == word.reference
        assert word.reference in EDITION[row].split()
        assert word.reading in READERS["b"][row].split()
        assert word.reading in READERS["c"][row].split()
    for count in ("disputed", "agreements", "unparalleled"):
        assert sum(getattr(document, count) for document in described.documents) == getattr(described, count)
    assert sum(document.expected for document in described.documents) == pytest.approx(described.expected)
    excess = [document.unparalleled - document.expected for document in described.documents]
    assert excess == sorted(excess, reverse=True)


def test_a_better_system_is_not_suspicious():
    assert not look({**READERS, "a": read(PAGES, 0.01, 1)}).systems["a"].is_suspicious
    # The others misread alike, as engines of one family do, and the better one reads all of it right.
    shared = read(PAGES, 0.08, 4)
    family = {
        name: [copy_words(*texts, seed) for texts in zip(shared, READERS[name], strict=True)]
        for seed, name in enumerate(("b", "c"))
    }
    described = look({"a": PAGES, **family}, references=PAGES).systems["a"]
    assert described.reason == ""
    assert described.disputed == described.agreements > 60
    assert described.unparalleled > 5
    assert not described.is_suspicious


def copy_words(first, second, seed):
    """Of each four words, three of the first text and one of the second."""
    words = enumerate(zip(first.split(), second.split(), strict=True))
    return " ".join(pair[(at + seed) % 4 == 0] for at, pair in words)


def test_the_order_of_systems_and_segments_changes_nothing(recited):
    systems = {"c": READERS["c"], "a": RECITER, "b": READERS["b"]}
    turned = look(
        {name: texts[::-1] for name, texts in systems.items()},
        references=EDITION[::-1],
        clusters=LABELS[::-1],
        ids=[*range(len(PAGES), 0, -1)],
    )
    for name, described in recited.systems.items():
        assert turned.systems[name].pvalue == pytest.approx(described.pvalue)
        assert turned.systems[name].expected == pytest.approx(described.expected)
        assert {*turned.systems[name].words} == {*described.words}


def test_the_level_is_that_of_the_statistics(recited):
    strict = look({"a": RECITER, "b": READERS["b"], "c": READERS["c"]}, statistics={"resamples": 99, "alpha": 1e-300})
    assert strict.alpha == 1e-300
    assert not strict.systems["a"].is_suspicious
    assert strict.systems["a"].pvalue == recited.systems["a"].pvalue


@pytest.mark.parametrize(
    ("systems", "options", "reason"),
    [
        ({"a": RECITER}, {"clusters": ["one"] * len(PAGES)}, "1 cluster with such words; at least 5"),
        ({"a": PAGES}, {}, "1 disputed word read as the reference; at least 10 are needed"),
        ({"a": EDITION, "b": PAGES, "c": PAGES}, {}, "0 misreadings of one other; at least 30 are needed"),
        ({"a": PAGES, "b": PAGES, "c": PAGES}, {"references": PAGES}, "0 words that all others read alike, and not as"),
    ],
)
def test_where_too_little_is_known_there_is_a_reason_and_no_number(systems, options, reason):
    described = look({**READERS, **systems}, **options).systems["a"]
    assert described.reason.startswith(reason)
    assert (described.expected, described.ratio, described.pvalue, described.adjusted_pvalue) == (None,) * 4
    assert not described.is_suspicious


@pytest.mark.parametrize("names", [("a",), ("a", "b")])
def test_fewer_than_three_systems_are_refused(names):
    with pytest.raises(UndefinedResultError, match=f"which takes 3 systems; there (is|are) {', '.join(names)}"):
        look({name: READERS[name] for name in names})


def test_segments_that_a_system_lacks_are_left_out():
    systems = {"a": [None, *RECITER[1:]], "b": READERS["b"], "c": READERS["c"]}
    described = look(systems, missing="drop")
    assert (described.segments, described.left_out) == (len(PAGES) - 1, 1)


@pytest.mark.slow
def test_real_systems_that_were_read_alarm_nobody(shared_data):
    text = (shared_data / "das22_directories/entries.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    systems = {name: [row[name] or "" for row in rows] for name in ("pero", "tesseract4", "kraken")}
    pages = [f"{row['book']}/{row['page']}" for row in rows]
    recitation = look(systems, references=[row["ref"] for row in rows], clusters=pages)
    assert [described.disputed for described in recitation.systems.values()] == [380, 304, 385]
    assert {described.reason for described in recitation.systems.values()} == {""}
    assert not any(described.is_suspicious for described in recitation.systems.values())
