"""Tests of what is common to all responses."""
