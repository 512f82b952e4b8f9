"""Check that what a command writes is nothing that it reads."""

import os
from collections.abc import Iterable
from pathlib import Path

from misread.errors import ConfigurationError


def check_outputs(outputs: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Refuse an output that is an input, holds one, is a file in a folder of inputs, or is another output.

    Names are compared by what they lead to. A new file in a folder of inputs overwrites nothing, and a pipe or device
    may be both.
    """
    # What an option names may be no path at all, such as a long list of metrics, which `Path.exists` raises for.
    known = [path for path in inputs if os.path.exists(path)]  # noqa: PTH110
    read = {Path(os.path.realpath(path)): path for path in known}
    written: dict[Path, Path] = {}
    for output in outputs:
        target = Path(os.path.realpath(output))
        is_file = target.is_file()
        if target.exists() and not (is_file or target.is_dir()):
            continue
        for path, name in read.items():
            is_input = path == target or path.parent == target or (is_file and path.samefile(target))
            if is_input or (is_file and path in target.parents):
                raise ConfigurationError(f"{output} would be written over an input, {name}; name another one.")
        if target in written:
            raise ConfigurationError(f"{output} is written twice, also as {written[target]}; name two files.")
        written[target] = output
