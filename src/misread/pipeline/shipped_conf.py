"""Where the groups lie that every study can choose from."""

from importlib.resources import files
from pathlib import Path
from typing import Final

FOLDER: Final = Path(str(files("misread.conf")))
"""Folder of the groups: in the installed package, or in the checkout."""
