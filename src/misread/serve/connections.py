"""Connections of a worker: how long they may wait, and how many of them."""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Final

from uvicorn import Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from misread.serve.limits import WorkerLimits

ACCEPTED_AT_ONCE: Final = 16
"""Connections that are accepted before one of them is known; each takes a file that the limit does not count."""
_QUEUED: Final = 1024


class QueueingServer(Server):
    """A server for which more connections queue in the system than it accepts at once."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_QUEUED)


class WaitingConnections:
    """Connections that wait for who is at their other end, in the order in which they began to."""

    def __init__(self, limits: WorkerLimits) -> None:
        self._limits = limits
        self._ends: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def connect(self, **settings: Any) -> Connection:
        """Make the protocol of a new connection, as Uvicorn asks for it."""
        return Connection(self, **settings)

    def add(self, transport: asyncio.Transport) -> None:
        """Wait for an answer to be taken or for a question; of too many, close the one that has waited longest."""
        self.remove(transport)
        limits = self._limits
        seconds = limits.timeout if transport.get_write_buffer_size() else limits.connection_timeout
        # To close it in good order would be to send first what nobody may take.
        self._ends[transport] = asyncio.get_running_loop().call_later(seconds, transport.abort)
        if len(self._ends) > limits.connections:
            longest = next(iter(self._ends))
            self.remove(longest)
            longest.abort()

    def remove(self, transport: asyncio.Transport) -> None:
        """Wait no longer: a question came, its answer was taken, or the connection is lost."""
        if end := self._ends.pop(transport, None):
            end.cancel()


class Connection(H11Protocol):
    """A connection that is closed where neither a whole header comes nor an answer is taken in time.

    Uvicorn has a limit for questions, which begin with a whole header, and for silence after an answer, not for this.
    """

    def __init__(self, waiting: WaitingConnections, **settings: Any) -> None:
        super().__init__(**settings)
        self._waiting = waiting

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as that of Uvicorn
        super().connection_made(transport)
        self._waiting.add(transport)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and not self.flow.write_paused:
            self._waiting.remove(self.transport)

    def on_response_complete(self) -> None:
        # First: the next question may be there already.
        self._waiting.add(self.transport)
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._waiting.add(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.cycle and not self.cycle.response_complete:
            self._waiting.remove(self.transport)
        else:
            self._waiting.add(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting.remove(self.transport)
        super().connection_lost(exc)
