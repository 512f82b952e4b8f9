"""What an evaluation needs: clusters and runs for a difference, the rate of unchecked text, how often tests err."""
