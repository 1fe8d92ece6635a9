"""Training programs, made to be read and copied."""
