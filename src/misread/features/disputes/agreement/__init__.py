"""Rates from agreement: few typed units, the rate of all."""
