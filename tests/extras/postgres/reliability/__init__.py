"""Tests that kill processes and databases."""
