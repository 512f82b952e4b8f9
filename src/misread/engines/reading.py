"""One reading of one source, measured; whatever goes wrong with it becomes its reason."""

import time

from misread.engines.base import Answer, Reader, UnreadableSourceError
from misread.errors import MisreadError
from misread.records import Reading, Source
from misread.timing.memory import BlockPeak


def read_one(reader: Reader, source: Source, *, measure_memory: bool) -> Reading:
    """Read a source; an engine may fail in any way, even exit, and that becomes the reason.

    Memory is that of this process and those that it started. An error of misread that is not about this source is
    raised.
    """
    peak = BlockPeak() if measure_memory else None
    start = time.perf_counter()
    answer, reason, raw, attempts = Answer(""), None, None, 1
    try:
        given = reader.read(source)
        answer = given if isinstance(given, Answer) else _text_of(given)
        raw, attempts = answer.raw, answer.attempts
    except UnreadableSourceError as error:
        reason, raw, attempts = str(error), error.raw, error.attempts
    except MisreadError:
        raise
    except BaseException as error:  # noqa: BLE001 - an engine may fail in any way, even exit
        reason = str(error) or type(error).__name__
    finally:
        seconds = time.perf_counter() - start
        memory = peak.close() if peak else None
    return Reading(
        source.segment_id,
        answer.text if reason is None else None,
        reason,
        seconds if answer.seconds is None else answer.seconds,
        memory,
        run=source.run,
        attempts=attempts,
        raw=raw,
        confidence=answer.confidence,
        request=answer.request,
    )


def _text_of(given: object) -> Answer:
    if not isinstance(given, str):
        raise UnreadableSourceError(f"the engine gave {type(given).__name__} in place of a text")
    return Answer(given)
