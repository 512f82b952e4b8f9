from dataclasses import fields

import pytest

from misread.errors import ConfigurationError
from misread.serve.limits import WorkerLimits


@pytest.mark.parametrize("name", [field.name for field in fields(WorkerLimits)])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_a_limit_that_lets_nothing_through_is_refused_and_nobody_has_to_wait(name, value):
    if value == 0 and name in ("waiting", "patience"):
        assert getattr(WorkerLimits(**{name: 0}), name) == 0
    else:
        with pytest.raises(ConfigurationError, match=f"^{name} of the worker is "):
            WorkerLimits(**{name: value})


def test_images_are_no_larger_than_pillow_takes():
    from PIL import Image

    assert WorkerLimits(max_pixels=Image.MAX_IMAGE_PIXELS).max_pixels == 89_478_485
    with pytest.raises(ConfigurationError, match="expected 89,478,485 at most"):
        WorkerLimits(max_pixels=Image.MAX_IMAGE_PIXELS + 1)
