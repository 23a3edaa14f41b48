"""Tests of clubs in a real browser."""
