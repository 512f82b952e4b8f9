import pytest
import regex

from misread.text import character_groups
from misread.text.character_groups import BLOCKS, find_block, find_category, find_script, make_blocks


def test_both_ends_of_every_block_are_in_it():
    rows = [line.split("\t") for line in BLOCKS.read_text(encoding="utf-8").splitlines()]
    starts = [int(first, 16) for first, _ in rows]
    for start, end, (_, name) in zip(starts, [*starts[1:], 0x110000], rows, strict=True):
        assert find_block(chr(start)) == find_block(chr(end - 1)) == name
        known = regex.compile(r"\p{Block=NB}" if name == "No_Block" else rf"\p{{Block={name}}}")
        assert known.match(chr(start))
        assert known.match(chr(end - 1))


def test_the_tables_are_what_their_scripts_make():
    assert BLOCKS.read_text(encoding="utf-8") == make_blocks()
    assert character_groups.SCRIPTS.read_text(encoding="utf-8") == character_groups.make_scripts()


@pytest.mark.parametrize(("character", "category"), [("É", "Lu"), ("1", "Nd"), (";", "Po")])
def test_a_character_has_its_general_category(character, category):
    assert find_category(character) == category


def test_a_grapheme_belongs_where_its_first_code_point_does():
    assert (find_block("e\u0301"), find_category("e\u0301")) == ("Basic Latin", "Ll")


def test_both_ends_of_every_script_are_in_it():
    rows = [line.split("\t") for line in character_groups.SCRIPTS.read_text(encoding="utf-8").splitlines()]
    starts = [int(first, 16) for first, _ in rows]
    for start, end, (_, name) in zip(starts, [*starts[1:], 0x110000], rows, strict=True):
        assert find_script(chr(start)) == find_script(chr(end - 1)) == name
    assert [find_script(character) for character in "aж1\u0301漢"] == [
        "Latin",
        "Cyrillic",
        "Common",
        "Inherited",
        "Han",
    ]
