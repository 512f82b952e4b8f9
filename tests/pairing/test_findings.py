"""Faults of stretches of a set, joined to those of the set."""

from dataclasses import replace

from misread.pairing.findings import Mispairing, ProposedPair, join_findings

SHIFT = Mispairing(
    fault="shift",
    system="x",
    segment_ids=("a", "b"),
    pairs=(ProposedPair(segment_id="a", fits="b"), ProposedPair(segment_id="b", fits="c")),
    errors=30,
    errors_as_proposed=2,
    offset=1,
    explains_all=True,
)
LATER = replace(SHIFT, segments=1, segment_ids=("d",), pairs=SHIFT.pairs[:1], errors=5, errors_as_proposed=1)


def test_one_fault_of_two_stretches_is_one_of_the_set():
    (fault,) = join_findings([(2, [SHIFT]), (1, [LATER])])
    assert (fault.segment_ids, fault.segments_in_all) == (("a", "b", "d"), 3)
    assert (fault.errors, fault.errors_as_proposed, len(fault.pairs)) == (35, 3, 3)
    assert fault.sentence.startswith("x: 3 of 3 outputs may be paired with wrong references. They are shifted by 1")


def test_another_offset_is_another_fault():
    faults = join_findings([(2, [SHIFT]), (1, [replace(LATER, offset=2)])])
    assert [(fault.offset, fault.segments, fault.segments_in_all) for fault in faults] == [(1, 2, 3), (2, 1, 3)]


def test_a_set_is_explained_if_nearly_all_of_it_is():
    assert join_findings([(9, [SHIFT]), (1, [])])[0].explains_all
    assert not join_findings([(9, [SHIFT]), (2, [])])[0].explains_all
    partly = join_findings([(9, [replace(SHIFT, explains_all=False)]), (9, [SHIFT])])
    assert not partly[0].explains_all


def test_ids_of_all_texts_are_said_to_be_all():
    ids = Mispairing(fault="ids", system="x", segment_ids=("u1", "u2"))
    assert "x: all 2 texts begin with ids" in join_findings([(2, []), (0, [ids])])[0].sentence
    assert "x: 2 texts begin with ids" in join_findings([(5, []), (0, [ids])])[0].sentence
