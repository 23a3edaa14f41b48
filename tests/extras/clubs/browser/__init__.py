"""Clubs in the browser."""
