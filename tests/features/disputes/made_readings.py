"""Readings of made-up lines by systems that misread at random, and the person who knows the lines."""

import csv
import json
import random

ALPHABET = "abcdefghijklmnoprstuvwxyz,.é"


def make_lines(number, seed=1):
    """Lines of words."""
    draw = random.Random(seed)
    words = ["".join(draw.choices(ALPHABET[:24], k=draw.randint(2, 8))) for _ in range(200)]
    return [" ".join(draw.choices(words, k=6)) for _ in range(number)]


def misread_at_random(lines, share, seed):
    """Lines in which a share of the characters are other ones, are left out, or have another after them."""
    draw = random.Random(seed)

    def spoil(character):
        if draw.random() >= share:
            return character
        return draw.choice([draw.choice(ALPHABET), "", character + draw.choice(ALPHABET), " "])

    return ["".join(map(spoil, line)) for line in lines]


def fill_csv(path, truths, column="truth"):
    """Write truths, or marks, in the order of the rows into a table; None leaves a row as it is."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row, truth in zip(rows, truths, strict=True):
        row[column] = row[column] if truth is None else truth
    write_csv(path, rows)


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def fill_lines(path, truths, column="truth"):
    """The same of JSON Lines."""
    first, *rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row, truth in zip(rows, truths, strict=True):
        row[column] = row[column] if truth is None else truth
    path.write_text("".join(json.dumps(row) + "\n" for row in (first, *rows)), encoding="utf-8")
