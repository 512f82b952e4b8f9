"""`misread --cite`: how to cite misread, from CITATION.cff."""

from pathlib import Path
from typing import Final

from misread.io.yaml_files import read_yaml
from misread.version import __version__

_NAME: Final = "CITATION.cff"
_FOLDERS: Final = (Path(__file__).parents[1], Path(__file__).parents[3])
"""The package, where it is installed, and its repository."""


def cite() -> str:
    """One line for a list of references, and a BibTeX entry, both with the version that runs."""
    citation = read_yaml(next(path for folder in _FOLDERS if (path := folder / _NAME).is_file()))
    authors = [author["name"] for author in citation["authors"]]
    # A version that is not released yet has no date.
    year = str(citation.get("date-released", ""))[:4]
    line = f"{', '.join(authors)}{f' ({year})' if year else ''}. {citation['title']}. Version {__version__}."
    fields = {
        "author": " and ".join(f"{{{author}}}" for author in authors),
        "title": f"{{{citation['title']}}}",
        "year": year,
        "version": __version__,
        "note": f"Software, version {__version__}, {citation['license']}",
    }
    written = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"{line}\n\n@misc{{misread,\n{written}}}"
