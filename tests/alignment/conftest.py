import pytest


@pytest.fixture(scope="module", autouse=True)
def kernels(machine_code):
    """Tests of alignments are tests of the kernels; that plain Python does the same is in one folder."""
