"""Every name of misread.features.suspects, once, with its home."""

from .references import DisputedPlace as DisputedPlace
from .references import ReferenceCheck as ReferenceCheck
from .references import RepeatedErrors as RepeatedErrors
from .references import Suspect as Suspect
from .references import check_references as check_references
