import errno
import os
from pathlib import Path

import pytest

from misread.errors import OutputFileError
from misread.tables.figures.canvas import drawing

pytest.importorskip("matplotlib", reason="misread[report] is not installed")


@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
def test_a_figure_that_cannot_be_written_is_named_with_the_reason(tmp_path, monkeypatch, ending):
    write = Path.write_bytes

    def fail(path, content):
        if path.name == f".rates.{ending}.part":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", fail)
    said = rf"rates\.{ending} cannot be written: No space left on device"
    with pytest.raises(OutputFileError, match=said), drawing(tmp_path / "rates", [ending], 1.0):
        pass
    assert not (tmp_path / f"rates.{ending}").exists()
