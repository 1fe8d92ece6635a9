"""The level insane (S003-38)."""
