"""What earlier configurations left goes; what is not of a stage stays."""

from misread.pipeline.paths import remove_leftovers


def test_files_and_folders_of_other_ids_are_removed(tmp_path):
    for name in ("a.parquet", "b.parquet", "b.json", "README.md", ".gitignore"):
        (tmp_path / name).touch()
    for name in ("a", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "counts.parquet").touch()
    remove_leftovers(tmp_path, ["a"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gitignore", "README.md", "a", "a.parquet"]
    assert (tmp_path / "a/counts.parquet").is_file()


def test_a_folder_that_is_not_there_has_no_leftovers(tmp_path):
    remove_leftovers(tmp_path / "nowhere", [])
    assert not (tmp_path / "nowhere").exists()


def test_a_link_to_a_folder_is_removed_and_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/kept.parquet").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/c").symlink_to(tmp_path / "elsewhere")
    remove_leftovers(tmp_path / "folder", ["a"])
    assert (tmp_path / "elsewhere/kept.parquet").is_file()
    assert not list((tmp_path / "folder").iterdir())
