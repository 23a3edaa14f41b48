"""The pages of a club: its games, people, tables and records."""
