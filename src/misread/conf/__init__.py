"""Configuration that every study can choose from: engines, presets, and settings with their meaning.

A study reads it through Hydra's search path, `pkg://misread.conf`; a file of the same group and name in its own conf/
comes first.
"""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
"""Folder of the groups."""
