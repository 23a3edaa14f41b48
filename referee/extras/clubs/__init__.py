"""Clubs: tables, records and settling for a lasting group of players."""
