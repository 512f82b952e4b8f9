"""Parts of error rates and of their differences, which add up."""
