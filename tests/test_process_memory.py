import subprocess
import sys

import pytest

from misread.process_memory import peak_memory_bytes

MEBIBYTE = 2**20
# Holds 64 MiB, says so, and waits.
HOLD = "import sys\nheld = bytearray(64 * 2**20)\nprint('held', flush=True)\nsys.stdin.read()"


def test_what_this_process_holds_is_counted():
    before = peak_memory_bytes()
    held = bytearray(before + 32 * MEBIBYTE)
    assert peak_memory_bytes() >= len(held)


@pytest.mark.skipif(sys.platform != "linux", reason="running processes are seen on Linux only")
def test_what_a_running_child_holds_is_counted_and_an_ended_one_is_not_forgotten():
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        alone = peak_memory_bytes() - 64 * MEBIBYTE
        assert alone > 0
        child.stdin.close()
        child.wait()
    assert peak_memory_bytes() >= alone
