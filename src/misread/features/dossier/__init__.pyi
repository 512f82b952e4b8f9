"""Every name of misread.features.dossier, once, with its home."""

from .dossier import Dossier as Dossier
from .dossier import compile_dossier as compile_dossier
from .dossier import describe_segment as describe_segment
