import pytest

from misread.datasets.base import path_below, require_distinct
from misread.errors import InputFileError


def test_distinct_ids_pass():
    require_distinct(["a", "b"], ["t.csv, line 2", "t.csv, line 3"])


def test_an_id_that_occurs_twice_names_both_places():
    with pytest.raises(InputFileError, match=r"t\.csv, line 4: segment id 'a' was taken by t\.csv, line 2 already"):
        require_distinct(["a", "b", "a"], ["t.csv, line 2", "t.csv, line 3", "t.csv, line 4"])


def test_ids_that_differ_in_case_or_spaces_are_distinct():
    require_distinct(["a", "A", "a "], ["line 1", "line 2", "line 3"])


def test_a_missing_id_names_its_place():
    with pytest.raises(InputFileError, match=r"t\.csv, line 3: no segment id"):
        require_distinct(["a", ""], ["t.csv, line 2", "t.csv, line 3"])


def test_a_file_below_the_folder_is_found(tmp_path):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").touch()
    assert path_below(tmp_path, "images/a.png", "line 2") == tmp_path / "images" / "a.png"


def test_a_way_up_and_down_again_stays_below_the_folder(tmp_path):
    (tmp_path / "images").mkdir()
    (tmp_path / "a.png").touch()
    assert path_below(tmp_path, "images/../a.png", "line 2").is_file()


@pytest.mark.parametrize("name", ["../secret.png", "images/../../secret.png", "/etc/hostname"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, name):
    (tmp_path / "set" / "images").mkdir(parents=True)
    (tmp_path / "secret.png").touch()
    with pytest.raises(InputFileError, match=r"line 2: .* leads out of the data set's folder"):
        path_below(tmp_path / "set", name, "line 2")


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
