"""A book in a PostgreSQL database, for processes on several machines."""
