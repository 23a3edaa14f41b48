"""Tests of books in PostgreSQL."""
