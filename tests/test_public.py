"""What is public is what was committed as public; a change is seen, and follows docs/reference/stability.md."""

import re

from tests.golden.public import PINNED, dump_public, signature_keys

from misread.metrics import Metric
from misread.provenance.signature import Signature


def test_names_commands_signature_keys_and_layouts_are_those_that_are_committed():
    assert dump_public() == PINNED.read_text(encoding="utf-8"), (
        "what is public has changed: read docs/reference/stability.md, say it in CHANGELOG.md, "
        "run `python -m tests.golden`, and commit what it writes"
    )


def test_signatures_of_the_committed_tables_have_listed_keys(repository):
    files = sorted((repository / "reports").rglob("*.signature.json"))
    lines = re.findall(r'"([a-z0-9_+]+\|unit:[^"]*)"', "\n".join(path.read_text(encoding="utf-8") for path in files))
    used = {key for line in lines for key in Signature.parse(line).facts}
    assert len(used) > 10
    assert used <= signature_keys()


def test_keys_that_a_metric_signs_are_found():
    from misread import METRICS

    made = {key for metric in METRICS.values() if isinstance(metric, Metric) for key in metric.facts("none")}
    assert {"unit", "norm", "align", "empty", "bins", "words"} <= made <= signature_keys()


def test_the_page_explains_every_key_of_signatures(repository):
    page = (repository / "docs/reference/stability.md").read_text(encoding="utf-8")
    explained = [
        key
        for row in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page, re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row)
    ]
    assert sorted(explained) == sorted(signature_keys())
