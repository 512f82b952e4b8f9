"""Pages of made words, readers that misread letters, and an edition that repairs words of the pages."""

import random

LETTERS = "abcdefghilmnoprstuv"
CONFUSIONS = {"e": "c", "c": "e", "u": "n", "n": "u", "i": "l", "l": "i", "f": "t", "t": "f", "a": "o", "h": "b"}


def make_pages(seed=1, lines=300):
    """Lines of eight words, ten lines a page."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(LETTERS, k=rng.randrange(4, 9))) for _ in range(400)]
    return [" ".join(rng.choices(words, k=8)) for _ in range(lines)], [f"p{row // 10}" for row in range(lines)]


def read(pages, rate, seed):
    """A reader that misreads a share of the words by one letter, mostly for one that looks like it."""
    rng = random.Random(seed)
    return [" ".join(misread(word, rng) if rng.random() < rate else word for word in page.split()) for page in pages]


def misread(word, rng):
    places = [at for at, letter in enumerate(word) if letter in CONFUSIONS]
    if places and rng.random() < 0.8:
        at = rng.choice(places)
        return word[:at] + CONFUSIONS[word[at]] + word[at + 1 :]
    at = rng.randrange(len(word))
    return word[:at] + rng.choice(LETTERS.upper()) + word[at + 1 :]


def edit(pages, share, seed=5):
    """An edition that has accents in a share of the words."""
    rng = random.Random(seed)

    def repair(word):
        at = rng.randrange(len(word))
        return word[:at] + rng.choice("áéíóúàèìòùâêîôûäëïöü") + word[at + 1 :]

    return [" ".join(repair(word) if rng.random() < share else word for word in page.split()) for page in pages]


def recite(edition, pages, reading):
    """A reading with the words of the edition wherever it departs from the page."""
    return [
        " ".join(
            edited if edited != printed else word for edited, printed, word in zip(*map(str.split, texts), strict=True)
        )
        for texts in zip(edition, pages, reading, strict=True)
    ]
