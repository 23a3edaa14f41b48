"""How fast a book in PostgreSQL is: `python -m benchmarks engines`."""

TOPICS = ("engines",)
LEFT_OUT_IF_SHORT = ("engines",)
UNDISTURBED = ()
