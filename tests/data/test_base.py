import os
import re
import socket
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data import BenchmarkFolder, ImageFolder, SegmentFiles, Table, TextFolders, base
from misread.data.base import below, digest_segments, digest_text, number_turns, path_below, require_distinct
from misread.errors import ConfigurationError, InputFileError

ROOT = "data/set"


@pytest.mark.parametrize("ids", [["a", "b"], ["a", "A", "a "]])
def test_distinct_ids_pass_also_those_that_differ_in_case_or_spaces(ids):
    require_distinct(ids, [f"line {number}" for number, _ in enumerate(ids)])


@pytest.mark.parametrize("ids", [["a", "b", "a"], ["M\u00fcll", "b", "Mu\u0308ll"]])
def test_an_id_that_occurs_twice_in_any_normal_form_names_both_places(ids):
    with pytest.raises(InputFileError, match=rf"line 4: segment id '{ids[2]}' was taken by t\.csv, line 2 already"):
        require_distinct(ids, ["t.csv, line 2", "t.csv, line 3", "t.csv, line 4"])


@pytest.mark.parametrize("blank", ["", " ", "\u3000"])
def test_a_missing_id_names_its_place(blank):
    with pytest.raises(InputFileError, match=r"t\.csv, line 3: no segment id"):
        require_distinct(["a", blank], ["t.csv, line 2", "t.csv, line 3"])


def test_turns_are_numbered_by_speaker_and_lines_from_one():
    assert number_turns(["ann", "", "bob", "ann", ""]) == ["ann-000", "1", "bob-000", "ann-001", "2"]
    assert number_turns(["x-000", "x", "x-000"]) == ["x-000-000", "x-000", "x-000-001"]


@pytest.mark.parametrize("name", ["images/a.png", "images/../images/a.png"])
def test_a_file_below_the_folder_is_found_also_by_a_way_up_and_down_again(tmp_path, name):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").touch()
    assert path_below(tmp_path, name, "line 2").samefile(tmp_path / "images" / "a.png")


@pytest.mark.parametrize("name", ["../secret.png", "images/../../secret.png", "/etc/hostname"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, name):
    (tmp_path / "set" / "images").mkdir(parents=True)
    (tmp_path / "secret.png").touch()
    with pytest.raises(InputFileError, match=r"line 2: .* leads out of the data set's folder"):
        path_below(tmp_path / "set", name, "line 2")


@given(st.lists(st.sampled_from(["..", ".", "a", "b.txt", "link", "secret.txt", "outside"]), max_size=6), st.booleans())
def test_whatever_leads_out_is_refused_and_all_else_is_below(parts, is_absolute):
    with tempfile.TemporaryDirectory() as folder:
        root, outside = Path(folder, "set"), Path(folder, "outside")
        for path in (root / "a", outside):
            path.mkdir(parents=True)
            (path / "b.txt").touch()
        Path(folder, "secret.txt").touch()
        (root / "link").symlink_to(outside)
        name = f"{folder if is_absolute else ''}/{'/'.join(parts)}".removeprefix("" if is_absolute else "/")
        try:
            path = path_below(root, name, "line 2")
        except InputFileError:
            return
        assert Path(os.path.realpath(path)) == root.resolve() / "a/b.txt"


def test_a_link_below_the_folder_is_followed_wherever_it_leads(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "kept_elsewhere.png").touch()
    (tmp_path / "set" / "a.png").symlink_to(tmp_path / "kept_elsewhere.png")
    assert path_below(tmp_path / "set", "a.png", "line 2").is_file()


@pytest.mark.parametrize("name", ["absent.png", "images", ""])
def test_what_is_no_file_names_the_place_that_named_it(tmp_path, name):
    (tmp_path / "images").mkdir()
    with pytest.raises(InputFileError, match=r"t\.csv, line 7: there is no file"):
        path_below(tmp_path, name, "t.csv, line 7")


@pytest.mark.parametrize("name", [".a.csv", ".versions/a.csv", "__pycache__/a.csv"])
def test_a_hidden_file_is_refused_since_no_digest_covers_it(tmp_path, name):
    with pytest.raises(InputFileError, match=r"^file: .* is hidden, so that no change of it would be noticed"):
        below(tmp_path, name, "file")


@pytest.mark.parametrize("name", ["linked", "linked/a.csv", "folder/linked/deep/a.csv"])
def test_a_linked_folder_is_refused_since_no_digest_covers_its_files(tmp_path, name):
    for place in ("elsewhere", "set/folder"):
        (tmp_path / place).mkdir(parents=True)
    for link in ("set/linked", "set/folder/linked"):
        (tmp_path / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputFileError, match=r"^file: .*linked is a link to a folder.* link its files one by one"):
        below(tmp_path / "set", name, "file")


def test_the_folder_of_a_data_set_may_be_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.csv").touch()
    (tmp_path / "set").symlink_to(tmp_path / "elsewhere")
    assert path_below(tmp_path / "set", "a.csv", "file").is_file()
    assert below(tmp_path / "set", ".", "reference") == tmp_path / "set"


OUTSIDE = [
    (Table(root=ROOT, file="../outside.csv", segment_id=["id"], reference="text"), "file"),
    (Table(root=ROOT, file="/outside.csv", segment_id=["id"], reference="text"), "file"),
    (SegmentFiles(ROOT, "../ref.trn", {"ours": "out.trn"}, "trn"), "reference"),
    (SegmentFiles(ROOT, "ref.trn", {"ours": "x/../../out.trn"}, "trn"), r"setting recorded\.ours"),
    (SegmentFiles(ROOT, "..", {"ours": "out"}, "nlp"), "reference"),
    (SegmentFiles(ROOT, "ref", {"ours": "/out"}, "nlp"), r"setting recorded\.ours"),
    (SegmentFiles(ROOT, "ref", {"ours": "out"}, "nlp(alternatives=../norm)"), "alternatives"),
    (ImageFolder(ROOT, ["*.png", "../*.png"], "line_image"), "images"),
    (ImageFolder(ROOT, ["/images/*.png"], "line_image"), "images"),
    (ImageFolder(ROOT, ["*.png"], "line_image", ["/../../outside.txt"]), "transcription"),
]


@pytest.mark.parametrize(("dataset", "setting"), OUTSIDE)
def test_no_setting_of_a_data_set_leads_out_of_its_folder(tmp_path, monkeypatch, dataset, setting):
    (tmp_path / ROOT).mkdir(parents=True)
    (tmp_path / ROOT / "a.png").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputFileError, match=rf"^{setting}: .* leads out of the data set's folder {ROOT}, so that"):
        dataset.segments()


def test_a_benchmark_folder_whose_images_are_a_linked_folder_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "set").mkdir()
    (tmp_path / "set/images").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "set/ground_truth.json").write_text('{"a.png": {"full_text": "a", "fields": {}}}')
    with pytest.raises(InputFileError, match="images is a link to a folder"):
        BenchmarkFolder(str(tmp_path / "set")).segments()


@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
def test_a_pipe_or_device_is_refused_and_not_waited_for(tmp_path, kind):
    path = tmp_path / "lines.csv"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        socket.socket(socket.AF_UNIX).bind(str(path))
    with pytest.raises(InputFileError, match=r"lines\.csv is a pipe or device"):
        Table(root=str(tmp_path), file="lines.csv", segment_id=["id"], reference="text").segments()


@pytest.mark.parametrize("name", ["a" * 300, "\u00e9" * 200, "a/" * 3000])
def test_a_name_that_no_file_can_have_is_refused(name):
    with pytest.raises(InputFileError, match="is longer than the name of a file can be"):
        below(Path(ROOT), name, "lines.csv, line 2")


def test_a_digest_of_many_segments_is_that_of_all_at_once(monkeypatch):
    ids, texts = [f"s{row}" for row in range(10)], [f"text {row}" for row in range(10)]
    whole = digest_segments(ids, texts)
    monkeypatch.setattr(base, "_AT_A_TIME", 3)
    assert digest_segments(ids, texts) == whole == digest_text("\x1e".join(map("{}\x1f{}".format, ids, texts)))


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
        (SEGLST, SegmentFiles, {"format": "seglst", "sessions": True}),
        (TRN, SegmentFiles, {"format": "trn"}),
    ],
)
def test_a_cluster_that_ids_do_not_have_is_refused_by_the_name_of_the_setting(make, content, kind, settings):
    assert refusal(make(content, kind, cluster="^(q)", **settings)).startswith("cluster '^(q)' finds no cluster")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cluster": "^(q)"}, "cluster '^(q)' finds no cluster in 'doc.txt'"),
        ({"cluster": "folder"}, "cluster='folder': doc.txt is in no folder below"),
        ({"groups": ["^(?P<kind>q)"]}, "groups '^(?P<kind>q)' finds no group in 'doc.txt'"),
        ({"hypothesis_format": "page(level=line)"}, "doc.txt is plain text, whose parts have no ids"),
        ({"ids_table": "ids.csv"}, "ids.csv: give cluster or groups, columns of this table"),
    ],
)
def test_what_folders_do_not_have_is_refused_by_the_name_of_the_setting(folders, settings, message):
    assert re.search(re.escape(message), refusal(folders(**settings)))
