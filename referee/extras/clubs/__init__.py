"""Clubs: what the games of a lasting group come to."""
