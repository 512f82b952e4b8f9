"""Tests have a home of their own, in which nobody's settings of Git are."""

import os
import subprocess

import pytest

from .conftest import GIT_CONFIG, leave_home


def test_git_has_the_identity_of_the_tests_and_no_other_settings():
    listed = subprocess.run(["git", "config", "--global", "--list"], capture_output=True, text=True, check=True)
    assert listed.stdout.splitlines() == ["user.name=test", "user.email=test@example.org", "safe.directory=*"]


@pytest.fixture
def left(tmp_path, monkeypatch):
    """Environment after leaving a home with settings of everything."""
    for path in (".gitconfig", ".config/git/config", ".config/uv/uv.toml"):
        (tmp_path / "before" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "before" / path).write_text("")
    (tmp_path / "after").mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "UV_"))}
    theirs = {"HOME": f"{tmp_path}/before", "GIT_AUTHOR_NAME": "somebody", "GIT_DIR": "/somewhere"}
    monkeypatch.setattr(os, "environ", {**kept, **theirs})
    leave_home(tmp_path / "after")
    return os.environ


def test_variables_of_git_and_settings_below_the_old_home_are_gone(left, tmp_path):
    assert not [name for name in left if name.startswith(("GIT_", "XDG_CONFIG"))]
    assert left["HOME"] == str(tmp_path / "after")
    assert (tmp_path / "after/.gitconfig").read_text() == GIT_CONFIG


def test_caches_and_the_index_of_uv_stay_where_they_were(left, tmp_path):
    assert left["XDG_CACHE_HOME"] == f"{tmp_path}/before/.cache"
    assert left["UV_CONFIG_FILE"] == f"{tmp_path}/before/.config/uv/uv.toml"
