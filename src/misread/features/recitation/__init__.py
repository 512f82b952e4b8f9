"""Systems that may recite a published text in place of reading the page."""
