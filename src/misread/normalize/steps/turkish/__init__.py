"""Turkish as it is spoken: numbers, ordinals, times, dates, units and symbols in words."""
