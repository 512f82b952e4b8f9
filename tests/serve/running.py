"""A worker as a process of its own, at a port that is free."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]
    said: str
    url: str


@contextmanager
def running(engine: str, *options: str, **environment: str) -> Iterator[Running]:
    """Start `misread serve` and wait until it says that it is ready; it is killed if it still runs at the end."""
    with subprocess.Popen(
        [str(Path(sys.executable).with_name("misread")), "serve", engine, "--port", "0", *options],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            said = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert found, process.communicate()[1]
            yield Running(process, said, found[0])
        finally:
            process.kill()
