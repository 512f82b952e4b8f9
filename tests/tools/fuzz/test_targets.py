"""A few inputs for every reader; `make fuzz` gives each ten thousand."""

import random

import pytest
from tools.fuzz.running import check
from tools.fuzz.targets import all_targets

pytestmark = pytest.mark.slow

TARGETS = all_targets()
# Hydra composes in a tenth of a second.
SLOW = {"conf", "params"}
INPUTS = 12


@pytest.mark.parametrize("name", [name for name in TARGETS if not name.startswith("step ")])
def test_valid_samples_are_accepted_and_others_end_in_documented_errors(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    target = TARGETS[name]
    # Unbroken, every file of the configuration makes the same folder.
    for sample in target.samples[:1] if name == "conf" else target.samples:
        assert check(target, sample, tmp_path) is None
    for number in range(2 if name in SLOW else INPUTS):
        data = target.make(random.Random(f"test {name} {number}"))
        assert not check(target, data, tmp_path), data[:500]


@pytest.mark.parametrize("name", [name for name in TARGETS if name.startswith("step ")])
def test_steps_give_a_text_for_every_text(name, tmp_path):
    target = TARGETS[name]
    for number in range(4):
        data = target.make(random.Random(f"test {name} {number}"))
        assert not check(target, data, tmp_path), data[:500]
