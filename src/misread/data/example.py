"""The example that misread brings: 40 lines as two engines have read them, and the pages that they come from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from misread.errors import MissingDataError

_FOLDERS: Final = (Path(__file__).parent / "examples", Path(__file__).parents[3] / "examples")


def find_example(folders: Sequence[Path] = _FOLDERS) -> Path:
    """Table with columns `id`, `document`, `text`, `tesseract` and `rapidocr`; in the package, or in its repository.

    Raises MissingDataError, with the folders, where it is in neither.
    """
    tables = [folder / "lines.csv" for folder in folders]
    table = next((table for table in tables if table.is_file()), None)
    if table is None:
        raise MissingDataError(
            f"misread was installed without its example, expected {' or '.join(map(str, tables))}: install it again, "
            "or name files of your own."
        )
    return table
