"""Tests of the games, one file each."""
