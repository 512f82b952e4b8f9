"""The environment of Git: the folder in which it runs decides which repository it reads."""

import os
from typing import Final

# Hooks set these, and Git would take another repository, index or store of objects. What users set stays: how to reach
# a server (GIT_SSH_COMMAND, GIT_ASKPASS, GIT_SSL_CAINFO), settings (GIT_CONFIG_COUNT and others, by which containers
# allow a folder of another owner), and names of authors.
_OF_A_REPOSITORY: Final = frozenset(
    {
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_PREFIX",
        "GIT_NAMESPACE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_QUARANTINE_PATH",
        "GIT_GRAFT_FILE",
        "GIT_SHALLOW_FILE",
        "GIT_REPLACE_REF_BASE",
        "GIT_CONFIG",
    }
)


def git_environment() -> dict[str, str]:
    """Environment of this process without what a hook says of its repository."""
    return {name: value for name, value in os.environ.items() if name not in _OF_A_REPOSITORY}
