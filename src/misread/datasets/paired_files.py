"""Files of two folders that belong together because their names do."""

from __future__ import annotations

from pathlib import Path

from misread.errors import InputFileError

_SHOWN = 5


def pair_by_stem(reference: Path, hypothesis: Path, *, suffix: str = "") -> dict[str, tuple[Path, Path]]:
    """Pair the files of two folders by their names without the last ending; hidden files are left out.

    Parameters
    ----------
    reference, hypothesis : Path
        Folders.
    suffix : str
        Only files with this ending; all if it is empty.

    Returns
    -------
    dict of stem to (Path, Path)
        Sorted by stem.

    Raises
    ------
    InputFileError
        If a folder is missing or empty, two of its files share a stem, or a file has no partner; names them.
    """
    sides = [_by_stem(folder, suffix) for folder in (reference, hypothesis)]
    alone = [
        f"{len(stems)} only in {folder}: {', '.join(stems[:_SHOWN])}{' ...' if len(stems) > _SHOWN else ''}"
        for folder, stems in (
            (reference, sorted(sides[0].keys() - sides[1].keys())),
            (hypothesis, sorted(sides[1].keys() - sides[0].keys())),
        )
        if stems
    ]
    if alone:
        raise InputFileError(
            f"files are paired by their names without the ending, and some have no partner: {'; '.join(alone)}."
        )
    return {stem: (sides[0][stem], sides[1][stem]) for stem in sorted(sides[0])}


def _by_stem(folder: Path, suffix: str) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputFileError(f"{folder} is no folder; references and hypotheses are both files or both folders.")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith(".") or not path.name.endswith(suffix):
            continue
        if path.stem in found:
            raise InputFileError(f"{path} and {found[path.stem]} share the name {path.stem!r}: keep one of them.")
        found[path.stem] = path
    if not found:
        raise InputFileError(f"{folder} has no {suffix or 'file'} in it.")
    return found
