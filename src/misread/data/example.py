"""The example that misread brings: 40 lines as two engines have read them, and the pages that they come from."""

from pathlib import Path
from typing import Final

_FOLDERS: Final = (Path(__file__).parent / "examples", Path(__file__).parents[3] / "examples")

EXAMPLE: Final = next(folder / "lines.csv" for folder in _FOLDERS if folder.is_dir())
"""Table with columns `id`, `document`, `text`, `tesseract` and `rapidocr`; in the package, or in its repository."""
