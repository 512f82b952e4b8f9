"""Broken inputs made from valid ones: a piece of one is replaced, or a value of its JSON."""

import json
import random
import re
from collections.abc import Sequence
from typing import Any, Final

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
_NAMES: Final = ("", "x", "_target_", "id", "id ", "../x")
_ENCODINGS: Final = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "cp1254")
_BRACKETS: Final = ((b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b"{ ", b" / x }"), (b"(", b")"))
_TOKEN: Final = re.compile(rb"[+-]?\d+(?:\.\d+)?|\w+|[^\w\s]|\s+")
_LINE: Final = re.compile(rb"^.*\n?", re.MULTILINE)
_TAG: Final = re.compile(rb"<[^<>]*>")
_ATTRIBUTE: Final = re.compile(rb"""\s[\w:]+=(?:"[^"]*"|'[^']*')""")
_PIECES: Final = (_TOKEN, _TOKEN, _TOKEN, _LINE, _LINE, _TAG, _ATTRIBUTE, None)
# Of inputs, and of the part of one in which a piece is looked for.
_MOST: Final = 1 << 16
_WINDOW: Final = 1 << 12


def mutate(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
    """An input that is nearly as valid as the sample: one to four changes, seldom more."""
    changed = sample
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4, 12))):
        other = rng.choice(others) if others and rng.random() < 0.2 else changed
        changed = (_change_json if rng.random() < 0.2 else _change_piece)(rng, changed, other)[:_MOST]
    return changed


def _change_piece(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Replace a piece by what nobody expects, by nothing, by another piece, or by itself in another form."""
    begin, end = _find_piece(rng, data, rng.choice(_PIECES))
    piece, way = data[begin:end], rng.randrange(11)
    hostile = rng.choice(_NUMBERS if piece[-1:].isdigit() and rng.random() < 0.7 else _TEXTS)
    if way < 3:
        piece = hostile
    elif way == 3:
        piece += hostile
    elif way == 4:
        piece = b""
    elif way <= 6:
        piece = rng.choice((piece, b"")) + other[slice(*_find_piece(rng, other, rng.choice(_PIECES)))]
    elif way == 7:
        piece *= rng.choice((2, 2, 20, 1000))
    elif way == 8:
        piece = rng.choice((piece.swapcase(), bytes(rng.randrange(256) for _ in piece[:8]) + piece[8:]))
    elif way == 9:
        opened, closed = rng.choice(_BRACKETS)
        times = rng.choice((3, 60, 2000))
        piece = opened * times + piece + closed * times
    else:
        return data.decode("utf-8", "replace").encode(rng.choice(_ENCODINGS), "replace")
    return data[:begin] + piece + data[end:]


def _find_piece(rng: random.Random, data: bytes, kind: re.Pattern[bytes] | None) -> tuple[int, int]:
    """Beginning and end of a piece of a kind; of any bytes, often up to the end, where there is none."""
    # One time in ten from the beginning, or the first line would hardly ever be the piece.
    start = max(0, rng.randint(-len(data) // 9, len(data)))
    if kind and (match := kind.search(data, start, start + _WINDOW)):
        return match.span()
    return start, rng.choice((rng.randint(start, len(data)), len(data)))


def _change_json(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Change a value of JSON, of the whole or of a line; what is not JSON has a piece changed."""
    for begin, end in ((0, len(data)), _find_piece(rng, data, _LINE)):
        try:
            value = change_value(rng, json.loads(data[begin:end]))
        except (ValueError, RecursionError):
            continue
        changed = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return data[:begin] + changed + b"\n" + data[end:]
    return _change_piece(rng, data, other)


def change_value(rng: random.Random, value: Any) -> Any:
    """A value of JSON with one of its parts removed, doubled, renamed or of another type."""
    if not value or not isinstance(value, dict | list) or rng.random() < 0.15:
        return rng.choice(_VALUES)
    parts = list(value.items() if isinstance(value, dict) else enumerate(value))
    position = rng.randrange(len(parts))
    name, part = parts[position]
    changed = (
        list,
        lambda: [(rng.choice(_NAMES), part)],
        lambda: [(name, part), (rng.choice(_NAMES), part)],
        lambda: [(name, rng.choice(parts)[1])],
        lambda: [(name, change_value(rng, part))],
    )
    parts[position : position + 1] = changed[min(4, rng.randrange(7))]()
    return dict(parts) if isinstance(value, dict) else [part for _, part in parts]
