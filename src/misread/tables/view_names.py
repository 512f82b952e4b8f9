"""Names of the views, which settings, the command and its help know; their list is `misread.sockets.views`."""

from typing import Literal

ViewName = Literal[
    "flags",
    "reliability",
    "review",
    "bands",
    "entities",
    "scripts",
    "corrections",
    "punctuation",
    "suspects",
    "repeats",
]
"""Tables that look at the segments in one way or another; see `misread.sockets.lay_out_views`."""
