"""How fast clubs are counted, and how well their ratings foretell: `python -m benchmarks`."""

TOPICS = ("clubs", "ratings")
