"""Fuzzing that is guided by what inputs reach."""

import subprocess
import sys
from importlib.util import find_spec

import pytest
from tools.fuzz.targets import samples_of

PROGRAM = """\
import sys
from pathlib import Path
sys.path[0] = str(Path.cwd())  # which is another one while inputs are taken
from tools.fuzz.guided import run_guided
done = run_guided("seglst", 300, 1, Path(sys.argv[1]))
print(done.inputs, done.accepted + done.refused, done.findings)
"""


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.skipif(find_spec("atheris") is None, reason="there are packages of atheris for Linux on x86-64 alone")
def test_inputs_that_reach_something_new_are_kept_for_the_next(tmp_path, pytestconfig):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=pytestconfig.rootpath, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    inputs, taken, findings = done.stdout.split(maxsplit=2)
    assert int(inputs) == int(taken) >= 300
    assert findings.strip() == "{}"
    assert len(list((tmp_path / "corpus/seglst").iterdir())) > len(samples_of("seglst"))
