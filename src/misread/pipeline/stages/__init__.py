"""One function `main` per stage, which `stages/` and `misread stage` run; stages exchange files only."""
