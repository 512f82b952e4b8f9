from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from misread.stats.compare.compact_letters import assign_letters

NAMES = [f"s{number}" for number in range(7)]
PAIRS = list(combinations(NAMES, 2))


def letters_of(text):
    """Letters, each with its number where it has one."""
    found = []
    for character in text:
        if character.isdigit():
            found[-1] += character
        else:
            found.append(character)
    return set(found)


@given(st.sets(st.sampled_from(PAIRS)))
def test_two_systems_share_a_letter_if_and_only_if_they_are_not_significantly_different(different):
    letters = assign_letters(NAMES, [frozenset(pair) for pair in different])
    for pair in PAIRS:
        shared = letters_of(letters[pair[0]]) & letters_of(letters[pair[1]])
        assert bool(shared) == (pair not in different)


@given(st.sets(st.sampled_from(PAIRS)), st.randoms())
def test_the_order_of_the_pairs_changes_nothing(different, random):
    pairs = [frozenset(pair) for pair in different]
    shuffled = random.sample(pairs, len(pairs))
    assert assign_letters(NAMES, shuffled) == assign_letters(NAMES, pairs)


def test_the_best_has_the_first_letter():
    assert assign_letters(["z", "y"], [frozenset("yz")]) == {"z": "a", "y": "b"}


def test_after_z_letters_are_numbered():
    systems = [f"{number:02}" for number in range(28)]
    letters = assign_letters(systems, [frozenset(pair) for pair in combinations(systems, 2)])
    assert (letters["25"], letters["26"], letters["27"]) == ("z", "a2", "b2")
