"""The page on which a person types the truth of spans: one file, which needs no network."""

from misread.features.disputes.page.page import write_page as write_page
