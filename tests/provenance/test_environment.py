import os
import subprocess

from misread.provenance.environment import git_environment


def test_every_variable_by_which_git_finds_a_repository_is_left_out(monkeypatch):
    """Of those that Git itself lists, settings and a choice of how objects are read stay."""
    listed = subprocess.run(["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=True).stdout
    stay = {"GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_NO_REPLACE_OBJECTS", "GIT_INTERNAL_SUPER_PREFIX"}
    for name in listed.split():
        monkeypatch.setenv(name, "x")
    assert set(listed.split()) & set(git_environment()) <= stay


def test_what_users_set_for_a_connection_stays(monkeypatch):
    names = ("GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_SSL_CAINFO", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL", "PATH")
    for name in names:
        monkeypatch.setenv(name, os.environ.get(name, "x"))
    assert set(names) <= set(git_environment())
