"""Functions that workers find by this module's name."""

import os
import time


def square(number):
    return number * number


def square_slowly(number):
    """Square and process; the later half of ten ends first."""
    time.sleep(0.05 if number < 5 else 0.0)
    return number * number, os.getpid()


def fail_for_odd(number):
    if number % 2:
        time.sleep(0.1 / number)
        raise ValueError(f"{number} is odd")
    return number
