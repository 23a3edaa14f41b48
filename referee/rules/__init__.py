"""The rules: pure functions and values. No Flask, no SQLite, no clock, no randomness."""
