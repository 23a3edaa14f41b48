"""SQLite, append-only: keeps entries for ever and knows no game."""
