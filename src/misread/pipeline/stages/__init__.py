"""One function `main` per stage, which `stages/` and `misread stage` run; they hand on files only."""
