"""Reading of YAML: plain values only, with a limit on their number."""

from pathlib import Path
from typing import Any, Final

from misread.errors import InputFileError
from misread.io.text import read_text

MOST_VALUES: Final = 100_000
"""Limit on a file's values with aliases expanded, because nine short lines of aliases can stand for billions."""


def read_yaml(path: Path) -> Any:
    """Read YAML; raises InputFileError for a file that is missing, not valid, or has too many values."""
    return parse_yaml(read_text(path), path)


def parse_yaml(text: str, name: object) -> Any:
    """Read YAML from the text of a file; its name is for messages."""
    import yaml

    loader = None
    try:
        # It refuses characters that YAML does not have before it reads anything.
        loader = yaml.SafeLoader(text)
        loader.name = str(name)
        node = loader.get_single_node()
        # Aliases share memory in PyYAML's result; only going through it would be expensive.
        values = 0 if node is None else _count_values(node, {})
        content = loader.construct_document(node) if 0 < values <= MOST_VALUES else None
    except RecursionError:
        raise InputFileError(f"{name}: YAML nested too deeply to be read.") from None
    except (yaml.YAMLError, ValueError) as error:
        raise InputFileError(f"{name} is not valid YAML: {' '.join(str(error).split())}.") from None
    finally:
        if loader is not None:
            loader.dispose()
    if values > MOST_VALUES:
        raise InputFileError(
            f"{name} holds more than {MOST_VALUES:,} values with its aliases (*) written out, which is the limit."
        )
    return content


def _count_values(node: Any, counted: dict[int, int]) -> int:
    """Values of a node with those below it, aliases expanded; an alias of itself counts as too many."""
    if isinstance(node.value, str):
        return 1
    if id(node) not in counted:
        counted[id(node)] = MOST_VALUES
        inner = (part for entry in node.value for part in (entry if isinstance(entry, tuple) else (entry,)))
        counted[id(node)] = 1 + sum(_count_values(part, counted) for part in inner)
    return counted[id(node)]
