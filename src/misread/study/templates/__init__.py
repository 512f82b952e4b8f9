"""Files of a study as they are written; `config.yaml` and `README.md` have places to fill in."""
