"""The version: the one that the package is built with, and importing it costs nothing."""

__version__ = "0.3.0.dev5"
