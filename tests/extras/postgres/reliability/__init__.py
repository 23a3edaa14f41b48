"""Processes and databases are killed."""
