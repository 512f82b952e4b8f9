"""Checks of arguments and settings at the public doors."""
