from dataclasses import replace

import pytest

from misread.data import Slice, note_alike_ids
from misread.data.segment_table import SegmentTable, TextFacts
from misread.errors import ConfigurationError, UnknownNameError

IDS = [f"l{number}" for number in range(1, 101)]
TABLE = SegmentTable(
    name="few",
    digest="0123",
    segment_id=IDS,
    references=[f"text {name}" for name in IDS],
    cluster=["p1"] * 60 + ["p2"] * 40,
    cluster_name="page",
    groups={"language": ["fr", "de", "en", "fr"] * 25, "split": ["train"] * 90 + ["test"] * 10},
    hypotheses={"a": IDS},
    facts=TextFacts(notes=("Of all.",)),
)


def take(**settings):
    return Slice(**settings).take_from(TABLE, where="datasets.few")


def test_without_settings_a_table_stays_as_it_is():
    assert take() is TABLE


@pytest.mark.parametrize(
    ("where", "number"),
    [
        ({"language": "de"}, 25),
        ({"language": ["fr", "de"]}, 75),
        ({"page": ["p2"]}, 40),
        ({"segment_id": ["l7", "l9"]}, 2),
        ({"language": ["fr", "de", "en"], "split": "test"}, 10),
    ],
)
def test_segments_are_those_of_the_values(where, number):
    part = take(where=where)
    assert len(part) == number
    kept = [TABLE.segment_id.index(each) for each in part.segment_id]
    assert part.groups["language"] == [TABLE.groups["language"][row] for row in kept]
    assert kept == sorted(kept)


@pytest.mark.parametrize(("limit", "number"), [(1, 1), (99, 99), (100, 100), (101, 100)])
def test_the_limit_is_the_most(limit, number):
    assert take(limit=limit).segment_id == IDS[:number]


def test_a_seed_gives_one_order_and_another_seed_another():
    first = take(shuffle_seed=1).segment_id
    assert first == take(shuffle_seed=1).segment_id
    assert sorted(first) == sorted(IDS)
    assert len({tuple(take(shuffle_seed=seed).segment_id) for seed in range(20)}) == 20


def test_the_order_is_that_of_sha256_of_seed_and_id():
    assert take(shuffle_seed=1, limit=5).segment_id == ["l68", "l75", "l3", "l1", "l74"]


def test_every_segment_comes_first_about_as_often():
    firsts = [take(where={"segment_id": ["l1", "l2", "l3"]}, shuffle_seed=seed).segment_id[0] for seed in range(300)]
    assert all(70 < firsts.count(each) < 130 for each in ("l1", "l2", "l3"))


def test_a_further_segment_changes_the_order_of_no_other():
    few = TABLE.take(range(50))
    ordered = Slice(shuffle_seed=3).take_from(few, where="").segment_id
    assert [each for each in take(shuffle_seed=3).segment_id if each in IDS[:50]] == ordered


def test_columns_come_first_then_the_order_and_the_limit_last():
    both = take(where={"language": "de"}, shuffle_seed=5, limit=10).segment_id
    assert both == take(where={"language": "de"}, shuffle_seed=5).segment_id[:10]


def test_a_part_is_noted_and_has_a_digest_and_a_name_of_its_own():
    part = take(where={"split": "train", "language": ["fr", "de"]}, shuffle_seed=7, limit=10)
    assert part.facts.part == "language de or fr, split train, shuffled by seed 7, at most 10"
    assert part.facts.notes == ("Of all.", f"few has 10 of 100 segments ({part.facts.part}).")
    assert len({TABLE.digest, part.digest, take(limit=10).digest, take(limit=11).digest}) == 4
    assert part.captures()["a"].origin.facts.part == part.facts.part


def test_the_order_of_values_makes_no_difference():
    assert take(where={"language": ["fr", "de"]}) == take(where={"language": ["de", "fr"]})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"where": {"langage": "fr"}}, r"unknown column 'langage' in datasets\.few\.where .* Did you mean 'language'"),
        ({"where": {"language": ["fr", "fra"]}}, r"unknown value 'fra' in datasets\.few\.where\.language\. Did you"),
        ({"where": {"cluster": "p1"}}, "unknown column 'cluster' .* language, page, segment_id, split"),
        (
            {"where": {"page": "p1", "split": "test"}},
            r"^datasets\.few: none of 100 segments meets all conditions of `wh",
        ),
        ({"limit": 0}, "limit is 0, expected 1 or more"),
        ({"where": {"a": []}}, "where.a is empty"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_with_what_there_is(settings, said):
    with pytest.raises((ConfigurationError, UnknownNameError), match=said):
        take(**settings)


# Ids


def test_ids_that_differ_only_by_case_are_noted_and_stay_apart():
    table = note_alike_ids(replace(TABLE, segment_id=["a1", "A1", "STRASSE", "straße", *IDS[4:]]))
    assert table.segment_id[:2] == ["a1", "A1"]
    assert table.facts.notes[-1] == (
        "segment ids 'a1' and 'A1' of few (and 1 more) differ only by case; they are taken for two segments."
    )
    assert note_alike_ids(TABLE) is TABLE
