"""Tests of cards, runs and groups."""
