"""Tests of the forms: their fields, and decoding them."""
