"""A verdict on two systems or more from the places where they differ; only these need a transcription."""
