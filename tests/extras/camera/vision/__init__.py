"""Tests of reading cards from photos."""
