"""Data sets call their settings as a configuration does, and never as options of a command."""

import re

import pytest

from misread.data import SegmentFiles, Sessions, TextFolders, TrnFiles
from misread.errors import ConfigurationError

KALDI = "ann-1 the quick\n"
TRN = "the quick (ann-1)\n"
SEGLST = '[{"session_id": "s", "speaker": "ann", "words": "the quick"}]'
BESIDE = "id,writer\ndoc,ann\n"


@pytest.fixture
def make(tmp_path):
    """Makes a data set with the same text on both sides."""

    def write(content, kind, **settings):
        for name in ("ref", "hyp"):
            (tmp_path / name).write_text(content)
        return kind(str(tmp_path), "ref", {"ours": "hyp"}, **settings)

    return write


@pytest.fixture
def folders(tmp_path):
    """Makes a data set of two folders with one text each."""

    def write(**settings):
        for name in ("ref", "hyp"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "doc.txt").write_text("the quick")
        (tmp_path / "ids.csv").write_text(BESIDE)
        return TextFolders(str(tmp_path), "ref", {"ours": "hyp"}, **settings)

    return write


def refusal(dataset):
    with pytest.raises(ConfigurationError) as caught:
        dataset.segments()
    assert "--" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "kind", "settings"),
    [
        (KALDI, SegmentFiles, {"format": "kaldi"}),
        (SEGLST, Sessions, {"format": "seglst"}),
        (TRN, TrnFiles, {}),
    ],
)
def test_a_cluster_that_ids_do_not_have_is_refused_by_the_name_of_the_setting(make, content, kind, settings):
    assert refusal(make(content, kind, cluster="^(q)", **settings)).startswith(
        "setting cluster '^(q)' finds no cluster"
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cluster": "^(q)"}, "setting cluster '^(q)' finds no cluster in 'doc.txt'"),
        ({"cluster": "folder"}, "setting cluster folder: doc.txt is in no folder below"),
        ({"groups": ["^(?P<kind>q)"]}, "setting groups '^(?P<kind>q)' finds no group in 'doc.txt'"),
        ({"level": "line"}, "setting level line: doc.txt is plain text, whose parts have no ids"),
        ({"ids_table": "ids.csv"}, "ids.csv: give setting cluster or setting groups, columns of this table"),
    ],
)
def test_what_folders_do_not_have_is_refused_by_the_name_of_the_setting(folders, settings, message):
    assert re.search(re.escape(message), refusal(folders(**settings)))
