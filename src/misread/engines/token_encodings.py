"""Vocabularies of language models for tiktoken, without a network."""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from misread.errors import ConfigurationError, InputFileError, MissingDependencyError, needed_for
from misread.io.atomic import replacing
from misread.io.checks.choices import check_choice

if TYPE_CHECKING:
    import tiktoken


class _Vocabulary(NamedTuple):
    """Address that tiktoken would fetch it from, which names its file in the cache, and the expected hash."""

    address: str
    sha256: str


ENCODINGS: Final = {
    "cl100k_base": _Vocabulary(
        "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": _Vocabulary(
        "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}
"""Encodings whose vocabulary is in the package bpe-openai: those of GPT-4, and of GPT-4o and later models."""


def get_encoding(name: str) -> tiktoken.Encoding:
    """Encoding of tiktoken; its vocabulary is put into tiktoken's cache, so that nothing is fetched."""
    with needed_for("token counts need", "tiktoken", "tokens"):
        import tiktoken
    write_vocabulary(name, cache_folder())
    return tiktoken.get_encoding(name)


def cache_folder() -> Path:
    """Folder in which tiktoken looks for vocabularies: TIKTOKEN_CACHE_DIR, or its own choice."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder == "":
        raise ConfigurationError("TIKTOKEN_CACHE_DIR is empty, which makes tiktoken fetch from the network; unset it.")
    return Path(folder or Path(tempfile.gettempdir()) / "data-gym-cache")


def write_vocabulary(name: str, folder: Path) -> Path:
    """Write a vocabulary from bpe-openai into a cache of tiktoken, verified by its hash; a correct one stays."""
    check_choice("encoding", name, ENCODINGS)
    vocabulary = ENCODINGS[name]
    # The name that tiktoken gives it; the hash is not for security.
    path = folder / hashlib.sha1(vocabulary.address.encode(), usedforsecurity=False).hexdigest()
    if path.is_file() and _sha256(path.read_bytes()) == vocabulary.sha256:
        return path
    # Importing the package would load all its vocabularies.
    package = find_spec("bpe_openai")
    if package is None or package.origin is None:
        raise MissingDependencyError("token counts need bpe-openai: pip install 'misread[tokens]'.")
    packed = Path(package.origin).parent / "data" / f"{name}.tiktoken.gz"
    content = gzip.decompress(packed.read_bytes())
    if _sha256(content) != vocabulary.sha256:
        raise InputFileError(
            f"{packed} is not the vocabulary {name} that tiktoken asks for (its hash differs); "
            "reinstall bpe-openai: pip install --force-reinstall bpe-openai."
        )
    with replacing(path) as temporary:
        temporary.write_bytes(content)
    return path


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
