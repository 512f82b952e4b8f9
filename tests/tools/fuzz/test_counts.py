import pytest

from tools.fuzz import counts


@pytest.mark.slow
def test_twenty_thousand_random_pairs_agree_with_rapidfuzz():
    counts.compare_pairs(20_000, 20)


def test_a_pair_on_which_the_two_disagree_is_named(monkeypatch):
    monkeypatch.setattr(counts, "distances", lambda *texts: counts.process.cpdist(*texts) + 1)
    with pytest.raises(SystemExit, match="distances differ"):
        counts.check(("ab",), ("ac",))
