"""The groups that every study can choose from, which Hydra finds as `pkg://misread.conf`.

A file of the same group and name in a study's own conf/ comes first. The wheel has the groups in this folder; in a
checkout they lie in the repository's conf/ alone, where resources of this package are then read from.
"""

from importlib.machinery import SourceFileLoader
from pathlib import Path

if __spec__ is not None and not (Path(__file__).parent / "systems").is_dir():
    # Resources are in the folder of the file that a package's loader names.
    __spec__.loader = SourceFileLoader(__name__, str(Path(__file__).parents[3] / "conf" / "__init__.py"))
