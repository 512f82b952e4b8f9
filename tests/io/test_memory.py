"""Memory that was freed goes back to the system."""

import platform
import resource
from pathlib import Path

import pytest

from misread.io.memory import release_memory


def resident_bytes():
    """Memory of this process that is in use or was freed and is not given back."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.mark.skipif("glibc" not in platform.libc_ver()[0], reason="no other C library can be asked to")
def test_what_was_freed_below_something_that_is_kept_goes_back_to_the_system():
    # Small enough for the C library to take them from its heap, whose end the last of them holds.
    held = [bytes([number % 251 + 1]) * 100_000 for number in range(1000)]
    last = held.pop()
    before = resident_bytes()
    del held
    release_memory()
    assert resident_bytes() < before - 50_000_000
    assert len(last) == 100_000
