import pytest

from misread.datasets.formats.paired_files import pair_by_stem
from misread.errors import InputFileError


@pytest.fixture
def folder(tmp_path):
    def folder(name, *files):
        path = tmp_path / name
        path.mkdir()
        for file in files:
            (path / file).write_text("x")
        return path

    return folder


def test_files_are_paired_by_their_names_without_the_ending(folder):
    reference, hypothesis = folder("ref", "b.txt", "a c.txt", ".hidden"), folder("hyp", "a c.out", "b.out")
    assert pair_by_stem(reference, hypothesis) == {
        "a c": (reference / "a c.txt", hypothesis / "a c.out"),
        "b": (reference / "b.txt", hypothesis / "b.out"),
    }


def test_all_hypotheses_without_a_reference_are_named_at_once(folder):
    with pytest.raises(InputFileError, match=r"2 only in .*hyp, without a reference in .*ref: d, e\."):
        pair_by_stem(folder("ref", "a.txt", "c.txt"), folder("hyp", "c.txt", "d.txt", "e.txt"))


def test_a_reference_without_a_hypothesis_has_none(folder):
    reference, hypothesis = folder("ref", "a.txt", "b.txt"), folder("hyp", "b.txt")
    assert pair_by_stem(reference, hypothesis) == {
        "a": (reference / "a.txt", None),
        "b": (reference / "b.txt", hypothesis / "b.txt"),
    }


def test_names_composed_and_decomposed_are_one(folder):
    reference, hypothesis = folder("ref", "Mu\u0308ll.txt"), folder("hyp", "M\u00fcll.txt")
    assert pair_by_stem(reference, hypothesis) == {
        "M\u00fcll": (reference / "Mu\u0308ll.txt", hypothesis / "M\u00fcll.txt")
    }
    (hypothesis / "Mu\u0308ll.txt").write_text("x")
    with pytest.raises(InputFileError, match="share the name 'M\u00fcll'"):
        pair_by_stem(reference, hypothesis)


def test_two_files_of_one_stem_are_refused(folder):
    with pytest.raises(InputFileError, match=r"a\.txt and .*a\.md share the name 'a'"):
        pair_by_stem(folder("ref", "a.md", "a.txt"), folder("hyp", "a.txt"))


def test_other_endings_are_left_out_where_one_is_asked_for(folder):
    pairs = pair_by_stem(folder("ref", "a.nlp", "README"), folder("hyp", "a.nlp"), suffix=".nlp")
    assert list(pairs) == ["a"]


def test_an_empty_folder_and_a_file_are_refused(folder, tmp_path):
    reference = folder("ref", "a.txt")
    with pytest.raises(InputFileError, match=r"hyp has no file in it"):
        pair_by_stem(reference, folder("hyp"))
    with pytest.raises(InputFileError, match="is not a folder"):
        pair_by_stem(reference, reference / "a.txt")
