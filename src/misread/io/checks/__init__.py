"""Checks of arguments and settings of public functions and classes."""
