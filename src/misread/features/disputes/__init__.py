"""A verdict on two systems or more from the places where they differ, of which alone the truth has to be typed."""
