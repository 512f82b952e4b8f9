"""The command `misread`; one command per file, heavy imports inside the commands."""

from misread.cli.app import main

__all__ = ["main"]
