"""Broken inputs made from valid ones: of their lines, numbers, entries and elements, and of their bytes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

_TOKEN: Final = re.compile(rb"[+-]?\d+(?:\.\d+)?|\w+|[^\w\s]|\s+")
_TAG: Final = re.compile(rb"<[^<>]*>")
_NUMBERS: Final = (
    *(b"0", b"-1", b"1", b"-0.0", b"1e308", b"1e400", b"-1e400", b"nan", b"NaN", b"inf", b"-Infinity", b"1_0", b"0x10"),
    *(b"00", b"2147483648", b"9223372036854775808", b"18446744073709551616", b"1" * 400, b"9" * 5000),
    b"0." + b"3" * 400,
    *("٣".encode(), "²".encode(), "½".encode(), "１".encode()),
)  # fmt: skip
_TEXTS: Final = (
    *(b"", b" ", b"\0", b"\n", b"\r", b"\r\n", b"\t", b"\v", b"\f", b"\x1b[31m", b"\x7f", b"\xff", b"\xc3"),
    b"\xed\xa0\x80",
    *("\ufeff".encode(), "\u2028".encode(), "\x85".encode(), "\u202e".encode(), "\u200d".encode(), "\u0301".encode()),
    *("İ".encode(), "ß".encode(), "\U0010ffff".encode(), "😀".encode(), "漢".encode(), "ﷺ".encode(), "\u0e33".encode()),
    *(b'"', b"'", b"\\", b"\\u0000", b"\\ud800", b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"/", b"@", b"|"),
    *(b";;", b"#", b",", b";", b":", b"=", b"%", b"%zz", b"&", b"&amp;", b"&#0;", b"&#x110000;", b"&x;", b"]]>"),
    *(b"*", b"<!--"),
    *(b"null", b"true", b"{}", b"[]", b'""', b"!!python/object:os.system", b"&a", b"*a", b"<<: *a", b"${oc.env:HOME}"),
    *(b"../../etc/passwd", b"/etc/passwd", b"..", b".", b"-x", b"--upload-pack=x", b"C:\\", b"\\\\x\\y"),
    b"file:///etc/passwd",
    *(b"<script>alert(1)</script>", b"\\input{/etc/passwd}", b"=cmd|' /C calc'!A0", b"$(id)", b"`id`", b"a" * 300),
)  # fmt: skip
_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 0.5, -0.0, 1e308, 2**31, 2**63, 2**64, 10**400, "", " ", "x", "0", "1.5", "nan"),
    *([], {}, [None], [[]], {"": None}, {"a": {}}, "\0", "\u202e", "a" * 1000, ["x"] * 50, [1, "x", None], "../x"),
)
# Of inputs, and of the part of one in which tags are looked for.
_MOST: Final = 1 << 16
_WINDOW: Final = 1 << 12


def mutate(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
    """An input that is nearly as valid as the sample: one to four changes, seldom more."""
    changed = sample
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4, 12))):
        changed = rng.choice(_KINDS)(rng, changed, others)[:_MOST]
    return changed


def _change_token(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    begin, end = _near(rng, data)
    own = data[begin:end]
    choices = _NUMBERS if own[-1:].isdigit() and rng.random() < 0.7 else _TEXTS
    new = rng.choice((rng.choice(choices), data[slice(*_near(rng, data))], b"", own + own, own.swapcase()))
    return data[:begin] + new + data[end:]


def _near(rng: random.Random, data: bytes) -> tuple[int, int]:
    """Place of a token, or of nothing at the end of the data."""
    match = _TOKEN.search(data, rng.randrange(len(data) + 1))
    return match.span() if match else (len(data), len(data))


def _insert(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice((*_TEXTS, *_NUMBERS)) + data[place:]


def _change_lines(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(5)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(place, lines[other])
    elif kind == 2:
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == 3:
        lines[place] = lines[place] * rng.choice((2, 3, 200))
    else:
        lines[place] = lines[place].rstrip(b"\r\n") + rng.choice((b"", b"\r\n", b"\r", b" ", b"\t\n", b"\x0b"))
    return b"".join(lines)


def _change_bytes(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 8))):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _span(rng: random.Random, data: bytes) -> tuple[int, int]:
    """Beginning and end of a piece."""
    begin, end = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    return begin, end


def _cut(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    begin, end = _span(rng, data)
    return rng.choice((data[:begin], data[begin:], data[:begin] + data[end:], data[:end] + data[begin:]))


def _splice(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others) if others else data
    piece = other[slice(*_span(rng, other))]
    place = rng.randrange(len(data) + 1)
    return data[:place] + piece + data[place:]


def _encode(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "cp1254")), "replace")


def _nest(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    opened, closed = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b"{ ", b" / x }"), (b"(", b")")))
    times = rng.choice((3, 60, 2000))
    begin, end = _span(rng, data)
    return data[:begin] + opened * times + data[begin:end] + closed * times + data[end:]


def _repeat(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    begin, end = _span(rng, data)
    return data[:begin] + data[begin:end] * rng.choice((2, 20, 1000)) + data[end:]


def _change_json(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Change a value of JSON, of the whole or of a line; what is not JSON has a token changed."""
    try:
        return _dump(change_value(rng, json.loads(data)))
    except (ValueError, RecursionError):
        lines = data.splitlines(keepends=True)
        place = rng.randrange(len(lines)) if lines else 0
        try:
            lines[place] = _dump(change_value(rng, json.loads(lines[place]))) + b"\n"
        except (ValueError, IndexError, RecursionError):
            return _change_token(rng, data, others)
        return b"".join(lines)


def _change_element(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Drop, double or move an element or attribute of markup; what is not markup has a token changed."""
    first = rng.randrange(max(1, len(data) - _WINDOW))
    tags = [match.span() for match in _TAG.finditer(data, first, first + _WINDOW)]
    if not tags:
        return _change_token(rng, data, others)
    (begin, end), (other, after) = rng.choice(tags), rng.choice(tags)
    attributes = [match.span() for match in re.finditer(rb"""\s[\w:]+=("[^"]*"|'[^']*')""", data[begin:end])]
    kind = rng.randrange(4)
    if kind == 0 and attributes:
        first, last = rng.choice(attributes)
        return data[: begin + first] + data[begin + last :]
    if kind == 1:
        return data[:begin] + data[end:]
    if kind == 2:
        return data[:begin] + data[other:after] + data[begin:]
    left, right = min(begin, other), max(end, after)
    return data[:left] + data[left:right] * 2 + data[right:]


def change_value(rng: random.Random, value: Any) -> Any:
    """A value of JSON with one of its parts removed, doubled, renamed or of another type."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        changed = dict(value)
        kind = rng.randrange(6)
        if kind == 0:
            del changed[key]
        elif kind == 1:
            changed[rng.choice(("", "x", "_target_", "id", f"{key} ", "../x"))] = changed.pop(key)
        elif kind == 2:
            changed[key] = changed[rng.choice(list(value))]
        else:
            changed[key] = change_value(rng, changed[key])
        return changed
    if isinstance(value, list) and value and rng.random() < 0.85:
        place = rng.randrange(len(value))
        kind = rng.randrange(4)
        if kind == 0:
            return [*value[:place], *value[place + 1 :]]
        if kind == 1:
            return [*value, value[place]]
        return [*value[:place], change_value(rng, value[place]), *value[place + 1 :]]
    return rng.choice(_VALUES)


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


_KINDS: Final[tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...]] = (
    *(_change_token,) * 4,
    *(_change_json,) * 3,
    *(_change_element,) * 2,
    *(_insert, _change_lines, _change_lines, _change_bytes, _cut, _splice, _encode, _nest, _repeat),
)
