import pytest

from misread.data import SegmentFiles, read_segment_files
from misread.errors import ConfigurationError, InputFileError


def speakers(data_of_every_format, **settings):
    settings = {"reference": "ref.stm", "recorded": {"a": "hyp.seglst.json"}, "format": "stm", **settings}
    return SegmentFiles(sessions=True, root=str(data_of_every_format / "speakers"), **settings)


def test_a_data_set_reads_what_the_command_line_reads(data_of_every_format):
    data = speakers(data_of_every_format, hypothesis_format="seglst")
    folder = data_of_every_format / "speakers"
    hypotheses = {"a": folder / "hyp.seglst.json"}
    assert data.segments() == read_segment_files(folder / "ref.stm", hypotheses, "stm", "seglst", sessions=True)
    assert data.offers == {"recorded:a"}


def test_a_cluster_may_be_several_sessions(data_of_every_format):
    table = speakers(data_of_every_format, recorded={"a": "hyp.stm"}, cluster="^(recording)").segments()
    assert table.cluster == ["recording", "recording"]


def test_another_format_and_a_file_elsewhere_are_refused(data_of_every_format):
    with pytest.raises(ConfigurationError, match=r"who speaks .* \(stm, seglst, webvtt, textgrid\), and ctm does not"):
        speakers(data_of_every_format, hypothesis_format="ctm")
    with pytest.raises(InputFileError, match=r"setting recorded\.a"):
        speakers(data_of_every_format, recorded={"a": "../other.stm"}).segments()
