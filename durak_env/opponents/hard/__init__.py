"""The level hard (S003-37)."""
