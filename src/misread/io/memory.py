"""Memory that was freed, given back to the system."""

import ctypes


def release_memory() -> None:
    """Give back to the system what freed arrays and texts held.

    Arrow and the C library keep it for later, in pieces that seldom fit: a process that writes long texts would grow
    with their number, though it uses few at a time. Among C libraries, only that of GNU can be asked.
    """
    import pyarrow as pa

    # Arrow's pool of the C library asks it only where it is the default one.
    pa.default_memory_pool().release_unused()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
