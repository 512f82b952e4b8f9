"""Machine code for another copy of the package, such as the code of a revision that is replayed."""

import shutil
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parents[1]


def lend_machine_code(package: Path) -> None:
    """Copy what is compiled beside the same modules of another copy.

    To compile it once more takes a quarter of a minute. It is used only where nothing that it is made of differs.
    """
    for path in _PACKAGE.rglob("__pycache__/*.nb[ic]"):
        folder = package / path.parent.relative_to(_PACKAGE)
        if folder.parent.is_dir():
            folder.mkdir(exist_ok=True)
            shutil.copy2(path, folder)
