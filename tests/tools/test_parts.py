import pytest
from tools.parts import replace_part


def test_a_table_is_replaced_between_its_markers_and_others_stay(tmp_path):
    path = tmp_path / "README.md"
    other = "<!-- table: make a -->\nkept\n<!-- end of table: make a -->\n"
    begin, end = "<!-- table: make b -->", "<!-- end of table: make b -->"
    path.write_text(f"before\n{other}{begin}\nold\n{end}\nafter\n", encoding="utf-8")
    replace_part(path, "make b", ["| new |", "|---|"])
    assert path.read_text(encoding="utf-8") == f"before\n{other}{begin}\n| new |\n|---|\n{end}\nafter\n"


def test_a_page_without_the_place_says_what_to_put_there(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"page\.md has no lines <!-- table: make b -->"):
        replace_part(path, "make b", [])
