"""Marks public functions and classes that will go: docs/reference/stability.md."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

# Type checkers report uses of what `deprecated` of the standard library marks; Python has it from 3.13 on (PEP 702).
if TYPE_CHECKING:
    from typing_extensions import deprecated
elif sys.version_info >= (3, 13):
    from warnings import deprecated
else:

    def deprecated(message: str, /) -> Callable[[Any], Any]:
        """Let calls of a function, and making an object of a class, warn with the message."""

        def mark(target: Any) -> Any:
            function = target.__init__ if isinstance(target, type) else target

            @wraps(function)
            def call(*arguments: Any, **options: Any) -> Any:
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                return function(*arguments, **options)

            if isinstance(target, type):
                target.__init__ = call
                target.__deprecated__ = message
                return target
            call.__deprecated__ = message
            return call

        return mark


__all__ = ["deprecated"]
