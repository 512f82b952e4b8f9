"""Commands, tables and settings shown in the README and the guide, run so that they stay correct."""
