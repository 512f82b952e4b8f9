"""The IAM database, in the layout of its lines.txt, words.txt and forms.txt (Marti and Bunke 2002)."""

import pytest

from misread.data import Dataset, IamFolder
from misread.errors import InputFileError, UnknownNameError

HEADER = "#--- lines.txt ---#\n#\n# format: a01-000u-00 ok 154 19 408 746 1661 89 A|MOVE|to|stop|Mr.|Gaitskell|from\n"
LINES = (
    "a01-000u-00 ok 154 19 408 746 1661 89 A|MOVE|to|stop|Mr.|Gaitskell|from\n"
    "a01-000u-01 err 156 19 395 932 1850 105 nominating|any|more|Labour|life|Peers\n"
    'b02-013-00 ok 180 10 1 2 3 4 Ich|#1|: "quoted"\n'
)
WORDS = "a01-000u-00-00 ok 154 408 768 27 51 AT A\na01-000u-00-01 er 154 507 766 213 48 NN a b|c\n"
FORMS = "# forms\na01-000u 000 2 prt 7 5 52 36\nb02-013 111 2 prt 7 5 52 36\n"


@pytest.fixture
def iam(tmp_path):
    """Write files; give a reader of them."""

    def iam(files, **settings):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return IamFolder(str(tmp_path), **settings)

    return iam


def test_lines_are_words_with_spaces_by_form_and_with_their_flag(iam):
    data = iam({"lines.txt": HEADER + LINES})
    assert (isinstance(data, Dataset), data.offers) == (True, frozenset())
    table = data.segments()
    assert table.segment_id == ["a01-000u-00", "a01-000u-01", "b02-013-00"]
    assert table.references[::2] == ["A MOVE to stop Mr. Gaitskell from", 'Ich #1 : "quoted"']
    assert (table.cluster_name, table.cluster) == ("form", ["a01-000u", "a01-000u", "b02-013"])
    assert table.groups == {"segmentation": ["ok", "err", "ok"]}


def test_badly_segmented_lines_may_be_left_out_which_is_said(iam):
    table = iam({"lines.txt": HEADER + LINES}, segmentation="ok").segments()
    assert table.segment_id == ["a01-000u-00", "b02-013-00"]
    assert [*table.facts.notes] == ["References: 1 are left out, as their segmentation is not ok."]


def test_words_keep_their_marks(iam):
    table = iam({"ascii/words.txt": WORDS}, file="ascii/words.txt").segments()
    assert (table.references, table.groups["segmentation"]) == (["A", "a b|c"], ["ok", "err"])


def test_writers_are_those_of_the_forms(iam):
    table = iam(
        {"ascii/lines.txt": LINES, "ascii/forms.txt": FORMS}, file="ascii/lines.txt", cluster="writer"
    ).segments()
    assert (table.cluster_name, table.cluster) == ("writer", ["000", "000", "111"])


def test_images_lie_in_folders_of_their_forms(iam, tmp_path):
    files = {"lines.txt": LINES.split("\n")[0], "lines/a01/a01-000u/a01-000u-00.png": ""}
    data = iam(files, images="lines")
    assert data.offers == {"line_image"}
    assert data.segments().media == [tmp_path / "lines/a01/a01-000u/a01-000u-00.png"]
    with pytest.raises(InputFileError, match=r"lines\.txt, line 2: there is no file .*a01-000u-01\.png"):
        iam({"lines.txt": LINES}, images="lines").segments()


@pytest.mark.parametrize(
    ("files", "settings", "message"),
    [
        ({"lines.txt": HEADER}, {}, r"lines\.txt has no segment\."),
        ({"lines.txt": LINES.split("\n")[1]}, {"segmentation": "ok"}, r"has no segment whose segmentation is ok"),
        ({"lines.txt": LINES + "x"}, {}, r"line 4: 'x' is not the id of a line or word, such as a01-000u-00"),
        ({"lines.txt": "a01-000u-00 ok 154"}, {}, r"line 1: expected ID ok\|err GRAY"),
        ({"lines.txt": LINES.replace(" ok ", " yes ")}, {}, r"line 1: expected ID ok\|err"),
        ({"lines.txt": LINES + LINES}, {}, r"line 4: segment id 'a01-000u-00' was taken by .*line 1 already"),
        ({"lines.txt": LINES}, {"cluster": "writer"}, r"there is no file .*forms\.txt"),
        (
            {"lines.txt": LINES, "forms.txt": "a01-000u 000"},
            {"cluster": "writer"},
            r"line 3: forms\.txt has no form 'b02-013', and so no writer",
        ),
        ({"lines.txt": LINES, "forms.txt": "a01-000u"}, {"cluster": "writer"}, r"forms\.txt, line 1: expected FORM"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_and_line(iam, files, settings, message):
    with pytest.raises(InputFileError, match=message):
        iam(files, **settings).segments()


def test_a_wrong_choice_is_answered_with_the_choices():
    with pytest.raises(UnknownNameError, match=r"unknown cluster 'page'.* There are: form, writer"):
        IamFolder("x", cluster="page")
