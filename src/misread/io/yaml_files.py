"""YAML: plain values only, read with a limit on their number, and written for all who read it."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from misread.errors import InputFileError
from misread.io.text import read_text

MOST_VALUES: Final = 100_000
"""Limit on a file's values with aliases expanded, because nine short lines of aliases can make billions."""


# Keys that mean something else than their text.
_SIGNS: Final = ("<<", "=")
# What YAML 1.1, YAML 1.2 or OmegaConf may take for a number, a date, a truth value or null.
_NO_TEXT: Final = re.compile(
    r"[-+.\d][-+.:\w]*|[_\d]+|y|n|yes|no|on|off|true|false|null|~|=|<<", re.IGNORECASE | re.ASCII
)


def dump_yaml(content: Any, *, in_one_line: bool = False) -> str:
    """YAML in whose texts every reader, of YAML 1.1, 1.2 or OmegaConf, finds what they were."""
    import yaml

    text: str = yaml.dump(
        content,
        Dumper=_dumper(),
        default_flow_style=in_one_line,
        allow_unicode=True,
        sort_keys=False,
        width=10**6 if in_one_line else 100,
    )
    return text.removesuffix("...\n").strip() if in_one_line else text


@cache
def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, _: Any) -> bool:
            return True

        def represent_text(self, text: str) -> Any:
            return self.represent_scalar("tag:yaml.org,2002:str", text, style="'" if _NO_TEXT.fullmatch(text) else None)

    Dumper.add_representer(str, Dumper.represent_text)
    return Dumper


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
        if 0 < values <= MOST_VALUES:
            _refuse_repeated_keys(node, loader, str(name))
        content = loader.construct_document(node) if 0 < values <= MOST_VALUES else None
    except RecursionError:
        raise InputFileError(f"{name}: YAML nested too deeply to be read.") from None
    except InputFileError:
        raise
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


def _refuse_repeated_keys(root: Any, loader: Any, name: str) -> None:
    """Raise InputFileError, with key and lines, for a key that a mapping has twice: readers would take one of them."""
    seen, nodes = set(), [root]
    while nodes:
        node = nodes.pop()
        if isinstance(node.value, str) or id(node) in seen:
            continue
        seen.add(id(node))
        lines: dict[Any, int] = {}
        for entry in node.value:
            nodes += entry if isinstance(entry, tuple) else (entry,)
            if isinstance(entry, tuple) and isinstance(entry[0].value, str) and entry[0].value not in _SIGNS:
                key, line = loader.construct_object(entry[0]), entry[0].start_mark.line + 1
                if key in lines:
                    raise InputFileError(
                        f"{name}, line {line}: {key!r} occurs twice, first in line {lines[key]}; keep one of them."
                    )
                lines[key] = line


def _count_values(node: Any, counted: dict[int, int]) -> int:
    """Values of a node with those below it, aliases expanded; an alias of itself counts as too many."""
    if isinstance(node.value, str):
        return 1
    if id(node) not in counted:
        counted[id(node)] = MOST_VALUES
        inner = (part for entry in node.value for part in (entry if isinstance(entry, tuple) else (entry,)))
        counted[id(node)] = 1 + sum(_count_values(part, counted) for part in inner)
    return counted[id(node)]
