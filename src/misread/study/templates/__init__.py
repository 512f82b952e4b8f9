"""Files of a study as they are written; `config.yaml` and `README.md` have placeholders."""
