"""What the README and the guide show: commands, tables and settings that are run, so that they stay true."""
