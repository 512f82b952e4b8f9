import pytest

from misread.data import Sessions, read_sessions
from misread.errors import InputFileError, UnknownNameError


def speakers(shared_data, **settings):
    settings = {"reference": "ref.stm", "recorded": {"a": "hyp.seglst.json"}, "format": "stm", **settings}
    return Sessions(root=str(shared_data / "speakers"), **settings)


def test_a_data_set_reads_what_the_command_line_reads(shared_data):
    data = speakers(shared_data, hypothesis_format="seglst")
    folder = shared_data / "speakers"
    assert data.segments() == read_sessions(folder / "ref.stm", {"a": folder / "hyp.seglst.json"}, "stm", "seglst")
    assert data.offers == {"recorded:a"}


def test_a_cluster_may_be_several_sessions(shared_data):
    table = speakers(shared_data, recorded={"a": "hyp.stm"}, cluster="^(recording)").segments()
    assert table.cluster == ["recording", "recording"]


def test_another_format_and_a_file_elsewhere_are_refused(shared_data):
    with pytest.raises(UnknownNameError, match=r"unknown format of sessions 'ctm' .*seglst, stm"):
        speakers(shared_data, hypothesis_format="ctm")
    with pytest.raises(InputFileError, match=r"setting recorded\.a"):
        speakers(shared_data, recorded={"a": "../other.stm"}).segments()
