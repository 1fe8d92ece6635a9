"""The level medium (S003-36)."""
