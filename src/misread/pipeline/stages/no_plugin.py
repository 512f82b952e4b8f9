"""no_plugin: the folder of the digests of plug-ins, for projects that have none."""

from typing import Final

from misread.io import write_text
from misread.pipeline import paths

_README: Final = """\
# Plug-ins

One file `NAME.sha256` for each name in the setting `plugins` of `conf/config.yaml`, which lists modules of the study
and installed packages: the digest of what it contains. The stage `plugin` writes it in every `dvc repro`; what the
changed code can change runs again.
"""


def main() -> None:
    write_text(paths.PLUGINS / "README.md", _README)
