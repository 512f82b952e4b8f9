"""The package as a newcomer has it: installed from its wheel, in a new environment, with nothing kept from before."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from tools.bench.processes import ROOT, Process, run_process

# Machine code, and what says which there is.
_KEPT = ("*.nbc", "*.nbi")


class FreshInstall:
    """An environment of its own in a folder, beside the libraries of this one.

    To build the wheel takes pip and its index, or its cache.
    """

    def __init__(self, folder: Path) -> None:
        self._programs = folder / "environment" / "bin"
        self._home = folder / "home"
        self._home.mkdir()
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True)
        (wheel,) = folder.glob("*.whl")
        venv.create(folder / "environment", symlinks=True)
        target = (*pip, "--python", self._programs / "python", "install", "--no-deps", "--no-index")
        subprocess.run([*target, wheel], check=True)
        (self._libraries,) = (folder / "environment").rglob("site-packages")
        (self._libraries / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")

    def run(self, *arguments: str) -> Process:
        """Run the command `misread` with what was kept by runs before."""
        # As in a container: nothing of this environment, and a home of its own.
        environment = {"PATH": f"{self._programs}:/usr/bin:/bin", "HOME": str(self._home)}
        return run_process(str(self._programs / "misread"), *arguments, environment=environment)

    def run_first(self, *arguments: str) -> Process:
        """Run it as if for the first time ever."""
        for pattern in _KEPT:
            for path in self._libraries.rglob(pattern):
                path.unlink()
        return self.run(*arguments)
