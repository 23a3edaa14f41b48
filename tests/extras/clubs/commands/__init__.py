"""Tests of `referee club`."""
