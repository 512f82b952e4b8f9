from misread.console import warn_of_notes
from misread.records import Origin


def test_a_note_of_several_systems_is_printed_once(capsys):
    warn_of_notes(
        [Origin("d", "a", notes=("2 cells are empty.",)), Origin("d", "b", notes=("2 cells are empty.", "x."))]
    )
    assert capsys.readouterr().err == "warning: 2 cells are empty.\nwarning: x.\n"
