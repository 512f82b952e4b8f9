"""Cards of the data sets of presets, as the package brings them."""

from pathlib import Path
from typing import Final

from misread.errors import ConfigurationError

# In the package as it is installed; in its sources, the repository's own folder is the place.
_PLACES: Final = (Path(__file__).parent / "cards", Path(__file__).parents[3] / "data")


def find_card(dataset: str) -> Path:
    """Folder with the card of a preset's data set and the list of its files."""
    found = next((place / dataset for place in _PLACES if (place / dataset).is_dir()), None)
    if found is None:
        raise ConfigurationError(f"misread is installed without the card of data set {dataset!r}; install it again.")
    return found
