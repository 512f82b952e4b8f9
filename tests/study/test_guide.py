"""The guide's own code: what the page on studies shows can be composed."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from misread.metrics import ErrorRate
from misread.pipeline.params import Params

NAMED = re.compile(r"```python\n# (src/study/\S+)\n(.*?)```", re.DOTALL)


def test_metrics_and_steps_of_the_guide_are_made(repository: Path, tmp_path: Path) -> None:
    page = (repository / "docs/how-to/code-of-your-own.md").read_text(encoding="utf-8")
    code = dict(NAMED.findall(page))
    assert {"src/study/metrics.py", "src/study/steps.py"} < code.keys()
    (tmp_path / "src/study").mkdir(parents=True)
    for name, text in code.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings, *_ = re.findall(r"```text\n(plugins: .*?)```", page, re.DOTALL)
    params = Params(yaml.safe_load(settings), root=tmp_path)
    cer, left_out = params.metrics()
    assert isinstance(left_out, ErrorRate)
    assert (cer.id, left_out.id) == ("cer", "left_out")
    assert left_out.rate_columns == ("deletions", "length")
    assert params.normalizer()("Waſſer  ſtand") == "Wasser stand"
