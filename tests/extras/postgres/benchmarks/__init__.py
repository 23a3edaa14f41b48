"""How fast a book in PostgreSQL is: `python -m benchmarks engines`."""

TOPICS = ("engines",)
