import pytest

from misread.datasets import NlpFolders, TrnFiles
from misread.errors import InputFileError


@pytest.fixture
def root(tmp_path):
    (tmp_path / "ref.trn").write_text("a { b / c } (x_1)\nd (y_1)\n")
    (tmp_path / "out.trn").write_text("d (Y_1)\n")
    for folder, text in (("ref", "token|tags\n2020|['0:YEAR']\n"), ("out", "token\nhm\n"), ("norm", "")):
        (tmp_path / folder).mkdir()
        if text:
            (tmp_path / folder / "call.nlp").write_text(text)
    (tmp_path / "norm" / "call.norm.json").write_text(
        '{"0": {"candidates": [{"verbalization": ["twenty", "twenty"]}]}}'
    )
    return tmp_path


def test_utterances_have_speakers_outputs_and_alternatives(root):
    data = TrnFiles(str(root), "ref.trn", {"ours": "out.trn"}, cluster="^(.)")
    first, second = data.segments()
    assert (first.segment_id, first.reference, first.cluster, first.alternatives) == ("x_1", "a { b / c }", "x", True)
    assert (first.source.recorded, second.source.recorded) == ({"ours": None}, {"ours": "d"})
    assert (data.offers, data.cluster_name) == ({"recorded:ours"}, "speaker")


@pytest.mark.parametrize("optional_words", [False, True])
def test_words_in_parentheses_may_be_left_out_where_the_data_set_says_so(tmp_path, optional_words):
    (tmp_path / "ref.trn").write_text("a (b) (x_1)\n")
    (tmp_path / "out.trn").write_text("a (x_1)\n")
    (one,) = TrnFiles(str(tmp_path), "ref.trn", {"ours": "out.trn"}, optional_words=optional_words).segments()
    assert (one.reference, one.alternatives) == ("a (b)", optional_words)
    (note,) = one.notes
    assert ("may be left out" if optional_words else "is compared as written") in note


def test_outputs_that_read_in_several_ways_are_refused_and_not_counted_with_their_marks(root):
    (root / "out.trn").write_text("{ c / d } (y_1)\n")
    with pytest.raises(InputFileError, match="'ours' read in several ways"):
        TrnFiles(str(root), "ref.trn", {"ours": "out.trn"}).segments()


@pytest.mark.parametrize(("alternatives", "reference"), [("norm", "{ 2020 / twenty twenty }"), ("", "2020")])
def test_calls_have_alternatives_where_there_is_a_folder_of_them(root, alternatives, reference):
    (call,) = NlpFolders(str(root), "ref", {"ours": "out"}, alternatives=alternatives).segments()
    assert (call.segment_id, call.reference, call.alternatives) == ("call", reference, bool(alternatives))
    assert call.source.recorded == {"ours": "hm"}
