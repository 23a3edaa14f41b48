"""Tests of what is counted from the sheets of a club."""
