"""Tests of the pages of one sheet."""
