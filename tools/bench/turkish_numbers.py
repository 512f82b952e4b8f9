"""Every number in a range in Turkish words, compared with num2words: `python -m tools.bench.turkish_numbers BEGIN END`.

The range 0 to 999,999,999 takes about two hours of CPU time; tests compare its structure and a sample of it.
"""

import sys
from collections.abc import Iterator

from misread.normalize.steps.turkish.number_words import number_words

_CHUNK = 1_000_000


def differences(begin: int, end: int) -> Iterator[tuple[int, str, str]]:
    """Numbers of which the words differ, without the spaces, and both readings."""
    from num2words import CONVERTER_CLASSES

    oracle = CONVERTER_CLASSES["tr"].to_cardinal
    for number in range(begin, end):
        ours, theirs = "".join(number_words(number)), oracle(number)
        if ours != theirs:
            yield number, ours, theirs


def is_known(number: int) -> bool:
    """Whether num2words is known to leave out a one: it says 101,001 as 100,001."""
    return 100_000 < number < 1_000_000 and number // 1000 % 10 == 1


def main(begin: int, end: int) -> None:
    """Compare chunk by chunk, and stop at the first difference that is not known."""
    known = 0
    for start in range(begin, end, _CHUNK):
        for number, ours, theirs in differences(start, min(start + _CHUNK, end)):
            known += is_known(number)
            if not is_known(number):
                print(f"{number:,}: {ours}, num2words {theirs}")
                raise SystemExit(1)
        print(f"{min(start + _CHUNK, end):,} compared, {known:,} known faults of num2words", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
