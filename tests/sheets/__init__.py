"""Tests of sheets: reading them, and what can be done with them."""
