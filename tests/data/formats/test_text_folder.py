import pytest

from misread.data.formats.text_folder import list_texts
from misread.errors import ConfigurationError, InputFileError


@pytest.fixture
def folder(tmp_path):
    def folder(*files):
        for file in files:
            (tmp_path / "gold" / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "gold" / file).write_text("x")
        return tmp_path / "gold"

    return folder


def test_texts_are_the_files_of_the_most_frequent_ending(folder):
    found = list_texts(folder("p1.txt", "p2.txt", "notes.md"))
    assert (list(found.files), found.left_out) == (["p1.txt", "p2.txt"], ["notes.md"])
    assert found.notes("References") == [
        "References: 1 file is left out of gold (notes.md); its texts are the .txt files (patterns choose others)."
    ]


@pytest.mark.parametrize("stray", ["README", "README.txt", "readme.md", "LICENSE.txt", "page.png", "p1.TIF"])
def test_what_is_about_the_folder_or_no_text_is_never_one(folder, stray):
    found = list_texts(folder("p1.txt", stray))
    assert (list(found.files), found.left_out) == (["p1.txt"], [stray])


def test_images_beside_their_transcriptions_do_not_count(folder):
    found = list_texts(folder("p1.png", "p1.gt.txt", "p2.png", "p2.gt.txt"))
    assert found.ids == {"p1": "p1.gt.txt", "p2": "p2.gt.txt"}


def test_endings_as_frequent_as_each_other_need_a_choice(folder):
    gold = folder("p1.txt", "p1.md")
    with pytest.raises(
        InputFileError, match=r"as many files of '\.\w+' as of '\.\w+' \(1 each\).*choose with patterns"
    ):
        list_texts(gold)
    assert list(list_texts(gold, ["*.md"]).files) == ["p1.md"]


@pytest.mark.parametrize(
    ("pattern", "taken"),
    [
        ("*.txt", ["a/b/p.txt", "a/p.txt", "p.txt"]),
        ("a/*.txt", ["a/p.txt"]),
        ("a/**/*.txt", ["a/b/p.txt", "a/p.txt"]),
        ("**/p.txt", ["a/b/p.txt", "a/p.txt", "p.txt"]),
        ("*/*/*", ["a/b/p.txt"]),
        ("README", ["README"]),
    ],
)
def test_a_pattern_is_on_the_name_or_with_a_slash_on_the_path(folder, pattern, taken):
    assert sorted(list_texts(folder("p.txt", "a/p.txt", "a/b/p.txt", "README"), [pattern]).files) == sorted(taken)


def test_a_pattern_that_matches_nothing_says_what_there_is(folder):
    with pytest.raises(InputFileError, match=r"gold has no file that matches \*\.xml\. It has: p1\.txt\."):
        list_texts(folder("p1.txt"), ["*.xml"])


@pytest.mark.parametrize("pattern", ["", "/etc/*", "../*.txt"])
def test_a_pattern_stays_in_the_folder(folder, pattern):
    with pytest.raises(ConfigurationError, match="expected a name such as"):
        list_texts(folder("p1.txt"), [pattern])


def test_a_pattern_of_many_stars_ends(folder):
    with pytest.raises(InputFileError, match="has no file that matches"):
        list_texts(folder("a" * 200, "b"), ["*a" * 40 + "x", "**/" * 40 + "x"])


def test_an_empty_folder_and_a_file_are_refused(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputFileError, match=r"empty has no file in it"):
        list_texts(tmp_path / "empty")
    with pytest.raises(InputFileError, match="is not a folder"):
        list_texts(folder("a.txt") / "a.txt")
    (tmp_path / "images").mkdir()
    (tmp_path / "images/a.png").write_text("")
    with pytest.raises(InputFileError, match=r"images has no file of text, only a\.png"):
        list_texts(tmp_path / "images")


def test_linked_folders_are_read_once_and_circles_end(folder, tmp_path):
    gold = folder("a/p1.txt")
    (gold / "a/back").symlink_to(gold)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/p2.txt").write_text("x")
    (gold / "b").symlink_to(tmp_path / "elsewhere")
    assert list(list_texts(gold).files) == ["a/p1.txt", "b/p2.txt"]
