"""Work is spread over threads, and every item is worked on once."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from misread import error_counts
from misread.compiled import threads
from misread.compiled.threads import run_in_chunks


class Recorder:
    """A kernel that notes its ranges and who called it."""

    def __init__(self):
        self.ranges, self.threads = [], set()

    def __call__(self, first, last):
        self.ranges.append((first, last))
        self.threads.add(threading.get_ident())


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("items", [0, 1, 7, 1000])
def test_ranges_together_are_all_items(use_threads, threads, items):
    use_threads(threads)
    record = Recorder()
    run_in_chunks(record, items, items)
    assert [item for first, last in sorted(record.ranges) for item in range(first, last)] == list(range(items))


def test_little_work_stays_in_its_thread(use_threads, monkeypatch):
    use_threads(2)
    monkeypatch.setattr(threads, "_LEAST_UNITS", 1000)
    record = Recorder()
    run_in_chunks(record, 100, 1999)
    assert (record.ranges, record.threads) == ([(0, 100)], {threading.get_ident()})


def test_an_error_in_a_range_is_raised(use_threads):
    use_threads(2)
    with pytest.raises(ZeroDivisionError):
        run_in_chunks(lambda first, last: first // 0, 100, 100)


def test_several_threads_of_a_program_count_at_one_time(use_threads):
    use_threads(2)
    texts = ["the quick brown fox"] * 500, ["the quack brown fix"] * 500
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: error_counts(*texts).substitutions.sum(), range(20)))
    assert found == [1000] * 20


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(use_threads):
    use_threads(2)
    run_in_chunks(Recorder(), 100, 100)
    child = os.fork()
    if child == 0:
        record = Recorder()
        run_in_chunks(record, 100, 100)
        os._exit(0 if len(record.ranges) > 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
