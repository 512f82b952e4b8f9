"""conf/config.yaml of an earlier version: metrics become names by id, and what people wrote beside them stays."""

import pytest
import yaml

from misread.errors import ConfigurationError
from misread.study.earlier_config import present_config
from misread.study.template import Settings, render

EARLIER = """\
# The choices.
defaults:
  - systems: [one]
  - configured_metrics: [fields]   # of invoices
  - _self_

# Ids of metrics: those of `configured_metrics` or, where it has none of an id, those that are built in.
metrics:
  # Characters first.
  - cer
  - wer  # strictly
  - fields

# Metrics with settings of your own, by id. Without a `_target_` it is the built-in metric of that id with other
# such as `wer: {alignment: sclite}`.
configured_metrics:
  # As NIST counts.
  wer: {alignment: sclite}

# A built-in normalizer.
normalizer: whitespace
"""
PRESENT = """\
# The choices.
defaults:
  - systems: [one]
  - metrics: []
  - _self_

# Metrics beside those of the sets chosen above, as names by id: {wer_sclite: wer(alignment=sclite)}. Files and columns
# have the id, signatures the name.
# As NIST counts.
# Characters first.
metrics: {cer: cer, wer: wer(alignment=sclite), fields: 'field_f1(rules={total:{compare:number}})'}

# A built-in normalizer.
normalizer: whitespace
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a metric of the study in a file of its own."""
    (tmp_path / "configured_metrics").mkdir()
    (tmp_path / "configured_metrics/fields.yaml").write_text(
        "fields:\n  _target_: misread.features.answers.FieldMatch\n  score: f1\n"
        "  rules: {total: {_target_: misread.features.answers.FieldRule, compare: number}}\n"
    )
    return tmp_path


def test_a_list_and_settings_become_names_and_comments_stay(folder):
    assert present_config(EARLIER, folder) == PRESENT
    assert present_config(PRESENT, folder) == PRESENT


@pytest.mark.parametrize(
    "section", ["metrics: [cer, wer]\n", "metrics:\n- cer\n- wer\n", "metrics: [\n  cer,\n  wer,\n]\n"]
)
def test_a_list_may_be_written_in_any_way(tmp_path, section):
    assert present_config(f"a: 1\n{section}b: 2\n", tmp_path) == "a: 1\nmetrics: {cer: cer, wer: wer}\nb: 2\n"


def test_the_comment_is_that_of_the_template(tmp_path):
    text = "# Ids of metrics: those of `configured_metrics` or, where it has none of an id, those that are built in.\n"
    written = present_config(f"{text}metrics: [cer]\n", tmp_path)
    comment = written.partition("metrics:")[0]
    settings = Settings(title="", about="", systems=["a"], datasets=["b"])
    assert f"\n\n{comment}metrics: {{}}\n" in render(settings)["conf/config.yaml"]
    assert yaml.safe_load(written) == {"metrics": {"cer": "cer"}}


def test_a_chosen_file_that_is_not_there_says_what_to_write(tmp_path):
    with pytest.raises(ConfigurationError, match=r"chooses configured_metrics: fields, which misread no longer brings"):
        present_config(EARLIER, tmp_path)
