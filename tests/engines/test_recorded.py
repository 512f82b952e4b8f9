import pytest

from misread.engines.base import UnreadableSourceError
from misread.engines.recorded import Recorded
from misread.records import Source


def test_it_hands_on_the_output_of_its_name():
    reader = Recorded("pero").open()
    assert reader.read(Source("a", None, {"pero": "one", "kraken": "two"})) == "one"


def test_an_empty_output_is_an_output():
    assert Recorded("pero").open().read(Source("a", None, {"pero": ""})) == ""


def test_an_output_is_not_changed():
    assert Recorded("pero").open().read(Source("a", None, {"pero": " one\r\n\n"})) == " one\r\n\n"


@pytest.mark.parametrize("recorded", [{}, {"kraken": "two"}, {"pero": None}])
def test_a_segment_without_an_output_cannot_be_read(recorded):
    with pytest.raises(UnreadableSourceError, match="recorded no output of 'pero' for this segment"):
        Recorded("pero").open().read(Source("a", None, recorded))


def test_it_reads_outputs_of_its_name_only():
    assert Recorded("pero").reads == {"recorded:pero"}


def test_its_versions_are_what_the_settings_say_of_the_system():
    assert Recorded("tesseract4", {"name": "Tesseract", "version": "4"}).versions() == {
        "name": "Tesseract",
        "version": "4",
    }
