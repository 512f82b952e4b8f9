"""What misread wrote into a study, and which version did: .misread/study.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from misread.errors import ConfigurationError, InputFileError
from misread.study.template import Settings
from misread.version import __version__

RECORD: Final = Path(".misread/study.json")


@dataclass(frozen=True, kw_only=True)
class Record:
    """The version that wrote a study, its settings, and the files as they were written, by path."""

    misread: str
    settings: Settings
    written: Mapping[str, str]


def read_study(root: Path) -> Record | None:
    """Read the record of a study; None where there is none. Raises InputFileError if it cannot be read.

    Raises ConfigurationError if the installed misread is older than the study.
    """
    from packaging.version import Version

    from misread.io import read_record

    if not (root / RECORD).is_file():
        return None
    record = read_record(root / RECORD, Record, kind="study", command="git checkout HEAD -- .misread")
    try:
        written_by = Version(record.misread)
    except ValueError:
        # InvalidVersion is one, and so is what Python says of a number of five thousand digits.
        raise InputFileError(
            f"{root / RECORD}: misread is {record.misread!r}, expected the version that wrote it; run "
            "`git checkout HEAD -- .misread`."
        ) from None
    if written_by > Version(__version__):
        raise ConfigurationError(
            f"this study was written by misread {record.misread} ({RECORD}), and {__version__} is installed: "
            f"pip install 'misread[pipeline]>={record.misread}'."
        )
    return record
