"""Text and pictures of a game."""
