"""Tests of the pages outside of sheets."""
