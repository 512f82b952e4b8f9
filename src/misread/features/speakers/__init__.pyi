"""Every name of misread.features.speakers, once, with its home."""

from .rates import SpeakerErrorRate as SpeakerErrorRate
