"""How fast clubs are counted, and how well their ratings predict: `python -m benchmarks`."""

TOPICS = ("clubs", "ratings")
LEFT_OUT_IF_SHORT = ()
UNDISTURBED = ("clubs", "ratings")
