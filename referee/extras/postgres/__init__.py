"""The book in a PostgreSQL database, for several processes on several machines."""
