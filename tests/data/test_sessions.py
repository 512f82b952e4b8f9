import pytest

from misread.data import SegmentFiles, read_segment_files
from misread.errors import ConfigurationError, InputFileError


def speakers(shared_data, **settings):
    settings = {"reference": "ref.stm", "recorded": {"a": "hyp.seglst.json"}, "format": "stm", **settings}
    return SegmentFiles(sessions=True, root=str(shared_data / "speakers"), **settings)


def test_a_data_set_reads_what_the_command_line_reads(shared_data):
    data = speakers(shared_data, hypothesis_format="seglst")
    folder = shared_data / "speakers"
    hypotheses = {"a": folder / "hyp.seglst.json"}
    assert data.segments() == read_segment_files(folder / "ref.stm", hypotheses, "stm", "seglst", sessions=True)
    assert data.offers == {"recorded:a"}


def test_a_cluster_may_be_several_sessions(shared_data):
    table = speakers(shared_data, recorded={"a": "hyp.stm"}, cluster="^(recording)").segments()
    assert table.cluster == ["recording", "recording"]


def test_another_format_and_a_file_elsewhere_are_refused(shared_data):
    with pytest.raises(ConfigurationError, match=r"who speaks in which recording \(stm, seglst\), and ctm does not"):
        speakers(shared_data, hypothesis_format="ctm")
    with pytest.raises(InputFileError, match=r"setting recorded\.a"):
        speakers(shared_data, recorded={"a": "../other.stm"}).segments()
