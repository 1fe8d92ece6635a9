"""The level greedy."""
