"""The command `misread`; one command a file, heavy imports inside the commands."""

from misread.cli.app import main

__all__ = ["main"]
