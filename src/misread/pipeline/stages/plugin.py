"""plugin: digest of a plug-in, so that the other stages run again when it changes."""

from misread.io import write_text
from misread.pipeline import paths
from misread.provenance.plugins import digest_plugin


def main(package: str) -> None:
    write_text(paths.plugin(package), f"{digest_plugin(package)}\n")
