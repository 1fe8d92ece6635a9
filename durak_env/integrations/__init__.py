"""Adapters to other frameworks. Each is imported only where it is used."""
