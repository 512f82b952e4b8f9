"""Accounts of files: every text is read, left out for a reason, or unknown, and said once for a format and kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from misread.data.formats.account import (
    Account,
    collecting_accounts,
    describe_accounts,
    refuse_unknown,
    silent,
    with_accounts,
)
from misread.data.segment_table import SegmentTable
from misread.errors import InputFileError

_WORDS = st.text("abc", min_size=1, max_size=3)
_VALUES = st.recursive(
    _WORDS | st.integers() | st.none() | st.just("  "),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from("klmn"), inside, max_size=3),
)


def _strings(value):
    if isinstance(value, dict | list):
        return [text for part in (value.values() if isinstance(value, dict) else value) for text in _strings(part)]
    return [value] if isinstance(value, str) else []


def _sum(account):
    shares = [*account.left_out.values(), *account.unknown.values()]
    return account.read + sum(share.characters for share in shares)


def test_text_of_xml_is_read_or_left_out_or_unknown_with_its_place():
    root = etree.fromstring(
        "<r>\n<m>made <b>by</b></m>\n<l>read<x>lost</x> on</l> <s CONTENT='word'/>\n<n>gone</n></r>"
    )
    account = Account("XML", Path("a.xml"))
    texts = root.xpath("//text()[normalize-space()]|//@CONTENT")
    account.add_tree(texts, {root[1]}, {"m": "metadata", root[3]: ""})
    assert {reason: (share.number, share.characters) for reason, share in account.left_out.items()} == {
        "metadata": (2, 6)
    }
    assert {kind: (share.location, share.example) for kind, share in account.unknown.items()} == {
        "texts in r/l/x": ("a.xml, line 3", "lost"),
        "CONTENT of r/s": ("a.xml, line 3", "word"),
    }


def test_a_string_of_json_is_a_repeat_or_its_key_says_what_it_is_or_it_is_unknown():
    value = {"a": [{"text": "read  on", "words": [{"w": "rea"}, {"w": "d"}, {"w": "lost"}]}], "lang": {"x": "en"}}
    account = Account("JSON", Path("a.json"))
    account.add_json({**value, "b": {"old": "red on"}}, ["read", "on"], {**silent("lang"), "b.old": "old texts"})
    assert (account.read, [*account.left_out]) == (6, ["old texts"])
    assert [(kind, share.location) for kind, share in account.unknown.items()] == [
        ("texts of 'a.words.w'", "a.json, a.words.w")
    ]


@given(_VALUES, st.lists(_WORDS, max_size=3), st.sets(st.sampled_from("klmn")))
def test_no_string_of_json_gets_lost(value, texts, no_text):
    account = Account("JSON")
    account.add_json(value, texts, dict.fromkeys(no_text, "no text"))
    assert account.read == len("".join(texts))
    assert _sum(account) - account.read == sum(
        len(text) for text in _strings(value) if text.strip() not in "".join(texts)
    )


def test_a_file_of_nothing_but_unknown_texts_takes_time_by_its_length():
    account = Account("JSON")
    account.add_json([{"a": f"x{number}"} for number in range(100_000)], ["y" * 1_000_000], {})
    assert account.unknown["texts of 'a'"].number == 100_000


def _read(name, kind, text):
    account = Account("SRT", Path(name))
    account.doubt(kind, text, 4)
    account.leave_out("comments", "c", 9)


def test_several_files_give_one_warning_of_a_format_and_kind_with_the_first_place():
    @with_accounts
    def read():
        _read("a.srt", "lines outside of cues", "one  two")
        _read("b.srt", "lines outside of cues", "three")
        return SegmentTable(segment_id=["1"], references=["x"])

    facts = read().facts
    (doubt,) = facts.doubts
    assert doubt.sentence == (
        "SRT: lines outside of cues are not read: 2 with 11 characters (the first in a.srt, line 4: 'one two')."
    )
    assert doubt.brief == "SRT: lines outside of cues are not read: 2 with 11 characters."
    assert facts.notes == ()
    assert facts.remarks == ("SRT: comments: 2 (the first in a.srt, line 9: 'c').",)
    assert facts.signed(chooses_readings=False) == {}


def test_those_who_collect_within_leave_nothing_out_for_those_around():
    with collecting_accounts() as outer:
        with collecting_accounts() as inner:
            _read("a.srt", "lines", "one")
        _read("b.srt", "lines", "two")
    assert [account.unknown["lines"].number for accounts in (inner, outer) for account in accounts.values()] == [1, 2]
    assert len(describe_accounts(outer)) == 2
    with pytest.raises(InputFileError, match=r"a\.srt: a reference without text.*'one'"):
        refuse_unknown(inner, Path("a.srt"))
    refuse_unknown({}, Path("a.srt"))
