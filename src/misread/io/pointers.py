"""What a clone has in place of large files until their content is fetched: pointers, or nothing."""

import re
from pathlib import Path
from typing import Final

# The Git LFS specification, "The Pointer", with the older addresses that Git LFS reads; git-annex, "pointer file".
_POINTERS: Final = {
    "Git LFS, not the file itself; run `git lfs pull`": re.compile(
        rb"version https?://(?:git-lfs\.github\.com/spec/v1|hawser\.github\.com/spec/v1|git-media\.io/v/2)\r?\n"
        rb"(?:ext-\S+ \S+\r?\n)*oid sha256:[0-9a-f]{64}\r?\nsize \d+\s*"
    ),
    "git-annex, not the file itself; run `git annex get .`": re.compile(rb"/annex/objects/\S+\s*"),
}
_MOST_BYTES: Final = 1024


def pointer_in(content: bytes) -> str:
    """Target of a file with this content if it is a pointer, and how to get it; else empty."""
    if len(content) > _MOST_BYTES:
        return ""
    return next((f"a pointer of {what}" for what, form in _POINTERS.items() if form.fullmatch(content)), "")


def pointer_at(path: Path) -> str:
    """`pointer_in` of a file; empty for a folder, pipe or device."""
    is_small = path.is_file() and path.stat().st_size <= _MOST_BYTES
    return pointer_in(path.read_bytes()) if is_small else ""


def absence(path: Path) -> str:
    """That there is no file, and what brings it where DVC or git-annex keeps it, or another way to name it does."""
    if tracked := next((f"{above}.dvc" for above in (path, *path.parents) if Path(f"{above}.dvc").is_file()), ""):
        return f"there is no file {path}; run `dvc pull {tracked}`"
    cure = "; run `git annex get .`" if path.is_symlink() and "annex/objects" in path.readlink().as_posix() else ""
    is_named = Path(str(path).partition("=")[2]).is_file()
    return f"there is no file {path}{f'; systems have names in --ref FILE --hyp {path}' if is_named else cure}"
