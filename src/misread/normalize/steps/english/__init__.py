"""English as Whisper's normalizer writes it: contractions, titles, numbers and American spelling."""
