"""Tests of a book in PostgreSQL."""
