from misread.tables.table import join_detail


def test_a_small_part_stands_behind_a_space_unless_it_begins_with_a_slash():
    assert join_detail("3.01", "[1.87, 4.41]") == "3.01 [1.87, 4.41]"
    assert join_detail("88", "/2923") == "88/2923"
    assert join_detail("3.01", "") == "3.01"
