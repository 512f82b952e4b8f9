"""Pairing of files in two folders by their names."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from misread.errors import InputFileError

_SHOWN = 5


def pair_by_stem(reference: Path, hypothesis: Path, *, suffix: str = "") -> dict[str, tuple[Path, Path | None]]:
    """Pair the files of two folders by stem (NFC, sorted); None where there is no hypothesis.

    Stems that differ only in Unicode normal form are the same, because file systems differ in it. Hidden files, and
    those without `suffix`, are left out. Raises InputFileError if stems are not distinct or a hypothesis has no
    reference.
    """
    references, hypotheses = (_by_stem(folder, suffix) for folder in (reference, hypothesis))
    alone = sorted(hypotheses.keys() - references.keys())
    if alone:
        raise InputFileError(
            "files are paired by their names without the ending, and some have no partner: "
            f"{len(alone)} only in {hypothesis}, without a reference in {reference}: {', '.join(alone[:_SHOWN])}"
            f"{' ...' if len(alone) > _SHOWN else ''}."
        )
    return {stem: (references[stem], hypotheses.get(stem)) for stem in sorted(references)}


def _by_stem(folder: Path, suffix: str) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputFileError(f"{folder} is not a folder; references and hypotheses are both files or both folders.")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith(".") or not path.name.endswith(suffix):
            continue
        stem = unicodedata.normalize("NFC", path.stem)
        if stem in found:
            raise InputFileError(f"{path} and {found[stem]} share the name {stem!r}: keep one of them.")
        found[stem] = path
    if not found:
        raise InputFileError(f"{folder} has no {suffix or 'file'} in it.")
    return found
