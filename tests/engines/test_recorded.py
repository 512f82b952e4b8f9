import pytest

from misread.engines.base import UnreadableSourceError
from misread.engines.recorded import Recorded
from misread.errors import ConfigurationError
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


def test_each_run_has_outputs_of_its_own():
    recorded = {"run1": "one", "run2": "two"}
    reader = Recorded("mistral", name="run{run}").open()
    assert [reader.read(Source("a", None, recorded, run)) for run in (1, 2)] == ["one", "two"]
    assert Recorded("mistral", name="run{run}").reads == {"recorded:run1"}


def test_one_output_is_not_served_for_several_runs():
    with pytest.raises(ConfigurationError, match=r"one recorded output of 'pero'.*name: run\{run\}"):
        Recorded("pero").open().read(Source("a", None, {"pero": "one"}, 2))


def test_it_reads_outputs_of_its_name_only():
    assert Recorded("pero").reads == {"recorded:pero"}


def test_its_versions_are_what_the_settings_say_of_the_system():
    assert Recorded("tesseract4", {"name": "Tesseract", "version": "4"}).versions() == {
        "name": "Tesseract",
        "version": "4",
    }
