"""YAML from text and files: plain values only, and no more of them than settings have."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from misread.errors import InputFileError
from misread.files.text import read_text

MOST_VALUES: Final = 100_000
"""As many values may a file hold with its aliases written out: nine short lines of aliases can stand for billions."""


def read_yaml(path: Path) -> Any:
    """Read YAML; what is missing, not valid, or holds too many values is an InputFileError that names the file."""
    return parse_yaml(read_text(path), path)


def parse_yaml(text: str, name: object) -> Any:
    """As `read_yaml`, of the text of a file; its name is for messages."""
    import yaml

    loader = yaml.SafeLoader(text)
    loader.name = str(name)
    try:
        node = loader.get_single_node()
        # What PyYAML makes of aliases takes little memory, until something goes through it.
        values = 0 if node is None else _count_values(node, {})
        content = loader.construct_document(node) if 0 < values <= MOST_VALUES else None
    except RecursionError:
        raise InputFileError(f"{name}: YAML nested too deeply to be read.") from None
    except (yaml.YAMLError, ValueError) as error:
        raise InputFileError(f"{name} is not valid YAML: {' '.join(str(error).split())}.") from None
    finally:
        loader.dispose()
    if values > MOST_VALUES:
        raise InputFileError(
            f"{name} holds more than {MOST_VALUES:,} values with its aliases (*) written out, which is the limit."
        )
    return content


def _count_values(node: Any, counted: dict[int, int]) -> int:
    """Values below a node and itself, those of an alias as often as it stands; an alias of itself never ends."""
    if isinstance(node.value, str):
        return 1
    if id(node) not in counted:
        counted[id(node)] = MOST_VALUES
        inner = (part for entry in node.value for part in (entry if isinstance(entry, tuple) else (entry,)))
        counted[id(node)] = 1 + sum(_count_values(part, counted) for part in inner)
    return counted[id(node)]
