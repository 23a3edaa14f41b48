"""Tests of clubs: figures, notes, moves, pages and commands."""
