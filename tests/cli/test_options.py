"""Options that several commands take."""

from misread.cli.options import split_list


def test_blanks_around_parts_are_dropped_and_an_option_not_given_has_none():
    assert split_list("cer, wer", option="--metrics") == ["cer", "wer"]
    assert split_list(None, option="--metrics") == []
