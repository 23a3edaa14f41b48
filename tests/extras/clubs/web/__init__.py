"""Tests of the pages of clubs."""
